# verdict:
# why = "gradients of the leaves are zeroed in place, as an optimizer does"
#: start
    for leaf in (w, v):
        if leaf.grad is not None:
            leaf.grad.detach_()
            leaf.grad.zero_()
#: forward, loss, retain, dict
