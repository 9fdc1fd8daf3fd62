import torch


class TwoLayerNet(object):
    def __init__(self, input_size, hidden_size, output_size, std=1e-4):
        self.params = {
            "W1": std * torch.randn(input_size, hidden_size),
            "b1": torch.zeros(hidden_size),
            "W2": std * torch.randn(hidden_size, output_size),
            "b2": torch.zeros(output_size),
        }
        self.velocity = {name: torch.zeros_like(p) for name, p in self.params.items()}
        self.loss_history = []

    def __call__(self, X):
        """Scores of the classes."""
        return self.loss(X)

    def loss(self, X, y=None, reg=0.0):
        W1, b1, W2, b2 = self.params.values()
        N = X.shape[0]
        hidden = (X @ W1 + b1).relu()
        scores = hidden @ W2 + b2
        if y is None:
            return scores
        logp = scores - torch.logsumexp(scores, 1, keepdim=True)
        loss = -logp.gather(1, y.view(-1, 1)).mean() + 0.5 * reg * (W1.square().sum() + W2.square().sum())
        dscores = logp.exp()
        dscores[range(N), y] -= 1
        dscores /= N
        dhidden = (dscores @ W2.t()).masked_fill(hidden <= 0, 0)
        grads = {
            "W1": X.t() @ dhidden + reg * W1, "b1": dhidden.sum(0),
            "W2": hidden.t() @ dscores + reg * W2, "b2": dscores.sum(0),
        }
        return loss, grads

    def train(self, X, y, learning_rate=1e-3, momentum=0.9, decay=0.95, reg=5e-6, num_iters=100):
        for it in range(num_iters):
            loss, grads = self.loss(X, y, reg)
            self.loss_history.append(loss.item())
            for name in self.params:
                self.velocity[name].mul_(momentum).sub_(learning_rate * grads[name])
                self.params[name] += self.velocity[name]
            if it % 10 == 0:
                learning_rate *= decay

    def predict(self, X):
        return self(X).argmax(1)
