import torch


def with_ones(A):
    return torch.cat([A, A.new_ones(A.shape[0], 1)], dim=1)


class TwoLayerNet(object):
    """affine - relu - affine - softmax, with the biases as last rows of the weights."""

    def __init__(self, input_size, hidden_size, output_size, weight_scale=1e-3):
        self.params = {
            "W1": weight_scale * torch.randn(input_size, hidden_size),
            "b1": torch.zeros(hidden_size),
            "W2": weight_scale * torch.randn(hidden_size, output_size),
            "b2": torch.zeros(output_size),
        }

    def stacked(self, i):
        W, b = self.params["W%d" % i], self.params["b%d" % i]
        return torch.cat([W, b[None, :]], dim=0)

    def loss(self, X, y=None, reg=0.0):
        T1, T2 = self.stacked(1), self.stacked(2)  # (D+1, H), (H+1, C)
        X1 = with_ones(X)
        H1 = with_ones((X1 @ T1).clamp(min=0))
        scores = H1 @ T2
        if y is None:
            return scores

        N, C = scores.shape
        Y = torch.zeros_like(scores).scatter_(1, y[:, None], 1.0)
        data_loss = (scores.logsumexp(dim=1) - (scores * Y).sum(dim=1)).mean()
        # the bias rows are not regularized
        penalty = sum(T[:-1].pow(2).sum() for T in (T1, T2))
        loss = data_loss + 0.5 * reg * penalty

        dscores = (scores.softmax(dim=1) - Y) / N
        dT2 = H1.t() @ dscores
        # the column of ones has no input: leave the last row of T2 out
        dhidden = dscores @ T2[:-1].t()
        dT1 = X1.t() @ torch.where(H1[:, :-1] > 0, dhidden, torch.zeros_like(dhidden))

        grads = {}
        for i, (T, dT) in enumerate([(T1, dT1), (T2, dT2)], start=1):
            grads["W%d" % i] = dT[:-1] + reg * T[:-1]
            grads["b%d" % i] = dT[-1]
        return loss, grads
