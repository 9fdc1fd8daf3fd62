# verdict:
# why = "all tapes so far are kept for looking at"
#: note
history = []


def reset_tape():
    history.append(list(gradient_tape))
    gradient_tape.clear()
    global _name
    _name = 0
