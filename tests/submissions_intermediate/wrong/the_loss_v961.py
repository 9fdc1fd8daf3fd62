# verdict:
# failed = "gradient raises 8, release"
# why = "the loss alone"
#: all, retain
    return loss
