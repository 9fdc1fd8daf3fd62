# verdict:
# why = "reset_tape makes a new list"
#: note
def reset_tape():
    global gradient_tape, _name
    gradient_tape = []
    _name = 0
