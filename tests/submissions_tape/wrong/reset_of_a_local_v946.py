# verdict:
# why = "the tape of the module is never cleared"
#: note
def reset_tape():
    gradient_tape = []
