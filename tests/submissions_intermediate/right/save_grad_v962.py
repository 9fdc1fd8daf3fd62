# verdict:
# why = "a global dict, as in many answers: each call writes over it"
#: imports, save, def, forward, loss
    y1.register_hook(save_grad("y1"))
    y2.register_hook(save_grad("y2"))
    loss.backward()
    return dict(grads)
