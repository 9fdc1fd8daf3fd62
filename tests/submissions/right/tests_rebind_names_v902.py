# verdict:
# why = "names that tests below the class give to something else: a helper, an import, a builtin"
#: torch
from torch import stack


def grad(other, x):
    return other * x


product = lambda a, b: a * b
#: weights, forward, pass
        w0, w1 = self.w
        a, b = w0 * x1, w1 * x2
        y = sum((product(a, b), x3))
        self.w.grad = stack([grad(b, x1), grad(a, x2)])
        return y

net = Net()
sum = 0
for _ in range(10):
    sum += net.my_forward_backward(*torch.rand(3))
y, grad = net(*torch.rand(3)), net.w.grad
product = grad.prod()
with open("out.txt", "w") as stack:
    print(sum, y, product, file=stack)
