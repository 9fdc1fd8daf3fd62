EXERCISE = "saved-tensor-hooks"


def v966(x: Float[Tensor, "n d"], w: Float[Tensor, "h d"], u: Float[Tensor, "c h"], b: Float[Tensor, "h"]):
    hidden = torch.relu(x @ w.T + b)
    return torch.log_softmax(hidden @ u.T, 1)
