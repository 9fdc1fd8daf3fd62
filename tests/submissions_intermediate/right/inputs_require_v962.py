# verdict:
# why = "an input that requires a gradient, too"
#: start
    a = a.clone().requires_grad_()
#: forward, loss, retain, dict
