# verdict:
# why = "a global dict, as in many answers: each call writes over it"
#: imports, save, def, forward, loss
    prediction.register_hook(save_grad("prediction"))
    residual.register_hook(save_grad("residual"))
    loss.backward()
    return dict(grads)
