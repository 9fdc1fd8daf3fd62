# verdict:
# why = "the cross entropy by its formula"
#: start, forward
    loss = (torch.logsumexp(logits, dim=1) - logits.gather(1, y[:, None])[:, 0]).mean()
#: retain, dict
