# verdict:
# failed = "gradient wrong-gradient @N5 a, gradient wrong-gradient @N5 b, second-order wrong-second-order @N5 a, second-order wrong-second-order @N5 b"
# why = "names by the length of the tape: all leaves are v0"
#: note
def fresh_name():
    return f'v{len(gradient_tape)}'
