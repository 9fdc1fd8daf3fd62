# verdict:
# status = "unreadable: no-function -"
# why = "the operator that is asked for is not in the file"
#: note
def simple(a, b):
    t = a + b
    return t * b
