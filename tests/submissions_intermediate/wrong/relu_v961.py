# verdict:
# failed = "gradient wrong-gradient @A hidden, gradient wrong-gradient @A logits"
# why = "relu for tanh"
#: start
    hidden = torch.relu(x @ w)
    logits = hidden @ v
#: loss, retain
    return hidden.grad, logits.grad  # @A
