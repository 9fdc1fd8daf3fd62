# verdict:
# why = "the cross entropy by its parts"
#: start, forward
    loss = F.nll_loss(F.log_softmax(logits, dim=1), y)
#: retain, dict
