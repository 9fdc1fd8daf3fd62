# verdict:
# failed = "release kept @A a, release kept @N2, release kept @N4"
# why = "the tape of the module is never cleared"
#: note
def reset_tape():  # @A
    gradient_tape = []
