# verdict:
# why = "names by the length of the tape: all leaves are v0"
#: note
def fresh_name():
    return f'v{len(gradient_tape)}'
