import torch
import torch.nn.functional as F


def with_ones(t):
    """A column of ones, for the bias to be a row of the weights."""
    return F.pad(t, (0, 1), value=1.0)


class TwoLayerNet(object):
    def __init__(self, input_size, hidden_size, output_size, std=1e-4):
        self.params = {
            "W1": torch.randn(input_size, hidden_size).mul_(std),
            "b1": torch.zeros(hidden_size),
            "W2": torch.randn(hidden_size, output_size).mul_(std),
            "b2": torch.zeros(output_size),
        }

    def theta(self, layer):
        return torch.vstack((self.params[f"W{layer}"], self.params[f"b{layer}"]))

    def loss(self, X, y=None, reg=0.0):
        theta1, theta2 = self.theta(1), self.theta(2)
        inputs1 = with_ones(X)
        hidden = F.relu(inputs1 @ theta1)
        inputs2 = with_ones(hidden)
        scores = inputs2 @ theta2
        if y is None:
            return scores

        log_probs = F.log_softmax(scores, dim=-1)
        loss = F.nll_loss(log_probs, y)
        loss = loss + 0.5 * reg * (theta1[:-1].norm() ** 2 + theta2[:-1].norm() ** 2)

        error = log_probs.exp()
        error.scatter_add_(1, y[:, None], -torch.ones_like(error[:, :1]))
        error.div_(len(y))
        grad_theta2 = inputs2.T @ error
        error_hidden = (error @ theta2[:-1].T).masked_fill(hidden <= 0, 0.0)
        grad_theta1 = inputs1.T @ error_hidden

        grads = {}
        for layer, (theta, grad) in enumerate([(theta1, grad_theta1), (theta2, grad_theta2)], start=1):
            grads[f"W{layer}"] = grad[:-1] + reg * theta[:-1]
            grads[f"b{layer}"] = grad[-1]
        return loss, grads
