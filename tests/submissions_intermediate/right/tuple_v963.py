# verdict:
# why = "a tuple in the order of GRADIENTS"
#: all, retain
    return prediction.grad, residual.grad
