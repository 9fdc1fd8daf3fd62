# verdict:
# failed = "forward raises @A, gradient, none, unused-nodes, release, second-order"
# why = "the value itself"
#: note
def simple_variable(a, b):  # @A
    return (a.value + b.value) * b.value
