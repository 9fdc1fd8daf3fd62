# verdict:
# why = "grads of leaves are reset first"
#: all
    for leaf in (w, v):
        leaf.grad = None
#: retain, dict
