import numpy as np
import torch
import pickle

with open("cifar10.pkl", "rb") as f:
    data = pickle.load(f)


class TwoLayerNet:
    def __init__(self, input_size, hidden_size, output_size, std=1e-4, dtype=torch.float32, device="cpu"):
        self.params = {
            "W1": std * torch.randn(input_size, hidden_size, dtype=dtype, device=device),
            "b1": torch.zeros(hidden_size, dtype=dtype, device=device),
            "W2": std * torch.randn(hidden_size, output_size, dtype=dtype, device=device),
            "b2": torch.zeros(output_size, dtype=dtype, device=device),
        }
        self.history = []

    def loss(self, X, y=None, reg=0.0):
        W1, b1, W2, b2 = self.params.values()
        h = (X @ W1 + b1).relu()
        scores = h @ W2 + b2
        if y is None:
            return scores
        loss = torch.nn.functional.cross_entropy(scores, y) + 0.5 * reg * (W1.norm() ** 2 + W2.norm() ** 2)
        self.history.append(loss.item())
        d = (scores.softmax(1) - torch.eye(scores.shape[1])[y]) / len(y)
        dh = d @ W2.T
        dh[h <= 0] = 0
        return loss.item(), {"W1": X.T @ dh + reg * W1, "b1": dh.sum(0), "W2": h.T @ d + reg * W2, "b2": d.sum(0)}

    def train(self, X, y, n=10):
        for _ in range(n):
            _, grads = self.loss(X, y)
            for k in self.params:
                self.params[k] -= 1e-3 * grads[k]


net = TwoLayerNet(3072, 50, 10)
net.train(torch.tensor(data["X"]), torch.tensor(data["y"]))
np.save("history.npy", np.array(net.history))
