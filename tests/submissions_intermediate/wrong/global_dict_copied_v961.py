# verdict:
# release = "partial 15: kept @B"
# why = "copies are returned, and a global dict keeps what they are copies of"
#: imports, save, def, forward, loss
    hidden.register_hook(save_grad("hidden"))
    logits.register_hook(save_grad("logits"))
    loss.backward()  # @B
    return {name: grad.clone() for name, grad in grads.items()}
