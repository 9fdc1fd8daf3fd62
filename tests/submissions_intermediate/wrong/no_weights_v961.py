# verdict:
# status = "unreadable: signature @A"
# why = "the weights are not given to it"
#: imports
def gradients(x, y):  # @A
    return {}
