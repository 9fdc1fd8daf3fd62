# verdict:
# why = "backward is given what it starts with"
#: all
    y1.retain_grad()
    y2.retain_grad()
    loss.backward(gradient=torch.ones_like(loss))
#: dict
