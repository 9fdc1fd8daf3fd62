# verdict:
# why = "the loss itself stands beside the dict"
#: all, retain
    return loss, {"y1": y1.grad, "y2": y2.grad}
