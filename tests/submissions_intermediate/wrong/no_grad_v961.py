# verdict:
# failed = "gradient raises @A, release"
# why = "under no_grad there is no graph"
#: start
    with torch.no_grad():
        hidden = torch.tanh(x @ w)
        logits = hidden @ v
        loss = F.cross_entropy(logits, y)
    loss.backward()  # @A
    return hidden.grad, logits.grad
