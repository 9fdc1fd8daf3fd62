# ClassNLLCriterion of log-probabilities and the numbers of the classes.
EXERCISE = "modules"
CALLS = "ClassNLLCriterion"
BELOW = {"target": "c"}


def v631(input: Float[Tensor, "n c"], target: Int[Tensor, "n"]):
    return F.nll_loss(input, target)
