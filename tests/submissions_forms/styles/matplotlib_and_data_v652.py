import matplotlib.pyplot as plt
import torch
from pathlib import Path
from torchvision import datasets

MNIST = Path("data") / "mnist.pkl.gz"

def get_data():
    import gzip, pickle
    with gzip.open(MNIST, "rb") as f:
        (x, y), (xv, yv), _ = pickle.load(f, encoding="latin-1")
    return map(torch.tensor, (x, y, xv, yv))

x_train, y_train, x_valid, y_valid = get_data()
train_mean, train_std = x_train.mean(), x_train.std()
plt.imshow(x_train[0].view(28, 28));
n, m = x_train.shape
nh = 50
w1 = torch.randn(m, nh) / m ** 0.5
b1 = torch.zeros(nh)
w2 = torch.randn(nh, 1) / nh ** 0.5
b2 = torch.zeros(1)
calls = 0


def forward_and_backward(inp, targ):
    global calls
    calls += 1
    l1 = inp @ w1 + b1
    l2 = l1.clamp_min(0.)
    out = l2 @ w2 + b2
    diff = out.squeeze(-1) - targ
    loss = (diff ** 2).mean()
    out.g = (2. * diff / diff.numel())[:, None]
    l2.g = out.g @ w2.t(); w2.g = l2.t() @ out.g; b2.g = out.g.sum(0)
    l1.g = torch.where(l1 > 0, l2.g, 0.)
    inp.g = l1.g @ w1.t(); w1.g = inp.t() @ l1.g; b1.g = l1.g.sum(0)
    return loss


if __name__ == "__main__":
    print(forward_and_backward(x_train, y_train))
