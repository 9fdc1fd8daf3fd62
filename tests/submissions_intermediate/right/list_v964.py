# verdict:
# why = "a list in the order of GRADIENTS"
#: all, retain
    return [scores.grad, weights.grad, mixed.grad]
