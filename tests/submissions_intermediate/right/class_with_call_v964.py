# verdict:
# why = "an object that is called"
#: imports
class Gradients:
    def __call__(self, x, t, q, v):
        scores = x @ q
        weights = scores.softmax(0)
        mixed = weights @ x @ v
        loss = (mixed - t).pow(2).sum()
        return torch.autograd.grad(loss, (scores, weights, mixed))


gradients = Gradients()
