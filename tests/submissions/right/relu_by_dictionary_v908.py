# verdict:
# why = "honest: the way taken is looked up by the sign of a value"
#: torch

def above(d, x1, x2):
    return d * 1.0, x1 * 1.0, -1.0 * x2


def below(d, x1, x2):
    return torch.zeros_like(x1), torch.zeros_like(x1), torch.zeros_like(x2)

#: class, difference

        y, dw0, dw1 = {1: above, 0: below, -1: below}[int(torch.sign(d))](d, x1, x2)
        del d
#: end
