# verdict:
# failed = "gradient raises 8, release"
# why = "one tensor for two"
#: all, retain
    return hidden.grad
