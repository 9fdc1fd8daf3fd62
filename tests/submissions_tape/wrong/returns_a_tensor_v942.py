# verdict:
# why = "the value itself"
#: note
def simple_variable(a, b):
    return (a.value + b.value) * b.value
