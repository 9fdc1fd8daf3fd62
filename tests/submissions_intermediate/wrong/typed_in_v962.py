# verdict:
# gradient = "partial 35: wrong-gradient @A y1"
# why = "the numbers of the note"
#: all, retain
    return torch.tensor(-4.0), y2.grad  # @A
