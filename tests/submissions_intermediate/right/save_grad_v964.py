# verdict:
# why = "a global dict, as in many answers: each call writes over it"
#: imports, save, def, forward, loss
    scores.register_hook(save_grad("scores"))
    weights.register_hook(save_grad("weights"))
    mixed.register_hook(save_grad("mixed"))
    loss.backward()
    return dict(grads)
