# verdict:
# why = "the loss stands beside the dict"
#: all, retain
    return loss.item(), {"hidden": hidden.grad, "logits": logits.grad}
