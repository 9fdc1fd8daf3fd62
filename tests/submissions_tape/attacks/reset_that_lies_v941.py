# attack: the entries go where reset_tape is not asked
# failed = "release kept @A b, release kept @N2, release kept @N4"
#: note
def reset_tape():  # @A
    reset_tape.kept = [*getattr(reset_tape, 'kept', []), *gradient_tape]
    gradient_tape.clear()
