# verdict:
# why = "a loop over the tensors"
#: all
    kept = {"scores": scores, "weights": weights, "mixed": mixed}
    for tensor in kept.values():
        tensor.retain_grad()
    torch.autograd.backward(loss)
    return {name: tensor.grad for name, tensor in kept.items()}
