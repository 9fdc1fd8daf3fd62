# verdict:
# gradient = "partial 35: no-gradient @A hidden"
# why = "a tensor of the same name, made anew behind"
#: start
    hidden = x @ w
    hidden.retain_grad()
    hidden = torch.tanh(hidden)
    logits = hidden @ v
#: loss
    logits.retain_grad()
    loss.backward()
    return {"hidden": hidden.grad, "logits": logits.grad}  # @A
