# verdict:
# why = "a graph of gradients that goes with the call"
#: all
    found = torch.autograd.grad(loss, [prediction, residual], create_graph=True)
    return [grad.detach() for grad in found]
