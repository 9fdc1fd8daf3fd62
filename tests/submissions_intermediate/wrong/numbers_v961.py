# verdict:
# failed = "gradient, release, integrity hidden-work @A"
# why = "through Python numbers"
#: all
    loss = loss / 2
#: retain
    numbers = hidden.grad.tolist()  # @A
    return torch.tensor([[2 * n for n in row] for row in numbers]), 2 * logits.grad
