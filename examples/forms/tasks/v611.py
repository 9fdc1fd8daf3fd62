# Cross-entropy with label smoothing: the loss and the gradients of scores and temperature, one after the other.
EXERCISE = "value-and-gradient"
CALLS = "smoothed_loss(scores, tau, y, eps)"
GRADIENTS = ("scores", "tau")
POSITIVE = ("tau",)
BELOW = {"y": "c"}


def v611(y: Int[Tensor, "n"], eps: float, *, scores: Float[Tensor, "n c"], tau: Float[Tensor, ""]):
    logp = torch.log_softmax(scores / tau, 1)
    return (1 - eps) * F.nll_loss(logp, y) - eps * logp.mean()
