# verdict:
# failed = "forward wrong-value @N4, gradient wrong-gradient @N5 a, gradient wrong-gradient @N7 b, second-order wrong-second-order @N5 a, second-order wrong-second-order @N7 b"
# why = "(a + b) * a"
#: note
def simple_variable(a, b):
    return (a + b) * a
