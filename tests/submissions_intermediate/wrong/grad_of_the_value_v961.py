# verdict:
# failed = "gradient raises @A, release"
# why = "torch.autograd.grad of what is not in the graph"
#: all
    return torch.autograd.grad(loss, [hidden.clone(), logits])  # @A
