# verdict:
# failed = "gradient raises 8, release"
# why = "three results for two"
#: all, retain
    return x.grad, y1.grad, y2.grad
