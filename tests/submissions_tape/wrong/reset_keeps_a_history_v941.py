# verdict:
# failed = "release kept @A b, release kept @N2, release kept @N4"
# why = "all tapes so far are kept for looking at"
#: note
history = []


def reset_tape():  # @A
    history.append(list(gradient_tape))
    gradient_tape.clear()
    global _name
    _name = 0
