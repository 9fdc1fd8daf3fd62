# verdict:
# why = "a global dict, as in many answers: each call writes over it"
#: imports, save, def, forward, loss
    hidden.register_hook(save_grad("hidden"))
    logits.register_hook(save_grad("logits"))
    loss.backward()
    return dict(grads)
