# verdict:
# failed = "gradient wrong-gradient @A hidden, gradient wrong-gradient @A logits"
# why = "the sum of cross entropies"
#: start, forward
    loss = F.cross_entropy(logits, y, reduction="sum")
#: retain
    return hidden.grad, logits.grad  # @A
