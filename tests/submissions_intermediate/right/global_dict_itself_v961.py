# verdict:
# why = "the dict itself is returned: what it holds is what is returned"
#: imports, save, def, forward, loss
    hidden.register_hook(save_grad("hidden"))
    logits.register_hook(save_grad("logits"))
    loss.backward()
    return grads
