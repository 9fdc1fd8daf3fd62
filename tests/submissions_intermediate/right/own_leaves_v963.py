# verdict:
# why = "copies of the leaves"
#: start
    w, b = w.detach().clone().requires_grad_(), b.detach().clone().requires_grad_()
#: forward, loss, retain, dict
