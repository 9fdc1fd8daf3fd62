# verdict:
# failed = "gradient wrong-gradient @A hidden, gradient wrong-gradient @A logits"
# why = "cross entropy of what softmax gives"
#: start, forward
    loss = F.cross_entropy(torch.softmax(logits, dim=1), y)
#: retain
    return hidden.grad, logits.grad  # @A
