# verdict:
# why = "intermediates are made leaves, one part of the graph after another"
#: start
    hidden = torch.tanh(x @ w).detach().requires_grad_()
    logits = (hidden @ v).detach().requires_grad_()
    F.cross_entropy(logits, y).backward()
    (hidden @ v).backward(logits.grad)
    return {"hidden": hidden.grad, "logits": logits.grad}
