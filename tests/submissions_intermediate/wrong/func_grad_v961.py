# verdict:
# failed = "gradient, release, integrity transform @A"
# why = "torch.func.grad of the part behind"
#: start, forward
    d_hidden = torch.func.grad(lambda h: F.cross_entropy(h @ v, y))(hidden)  # @A
    d_logits = torch.func.grad(lambda z: F.cross_entropy(z, y))(logits)
    return d_hidden.detach(), d_logits.detach()
