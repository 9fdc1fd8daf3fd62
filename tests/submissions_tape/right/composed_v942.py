# verdict:
# why = "the operator is made of others"
#: note
def simple_variable(a, b):
    t = a + b
    return t * b
