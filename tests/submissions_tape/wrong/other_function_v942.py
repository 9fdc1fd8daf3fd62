# verdict:
# why = "(a + b) * a"
#: note
def simple_variable(a, b):
    return (a + b) * a
