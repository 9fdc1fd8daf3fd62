import torch

FUNCTIONS = {
    "relu": (lambda z: z.clamp(min=0), lambda z, a: (a > 0).to(a.dtype)),
    "sigmoid": (torch.sigmoid, lambda z, a: a * (1 - a)),
    "identity": (lambda z: z, lambda z, a: torch.ones_like(a)),
}


class MLP:
    def __init__(self, linear_1_in_features, linear_1_out_features, f_function,
                 linear_2_in_features, linear_2_out_features, g_function):
        self.f_function, self.g_function = f_function, g_function
        self.parameters = dict(
            W1=torch.randn(linear_1_out_features, linear_1_in_features),
            b1=torch.randn(linear_1_out_features),
            W2=torch.randn(linear_2_out_features, linear_2_in_features),
            b2=torch.randn(linear_2_out_features),
        )
        self.grads = {}
        self.cache = {}

    def __call__(self, x, y, lr=0.1):
        """One step of training."""
        y_hat = self.forward(x)
        self.backward(2 * (y_hat - y) / y.numel())
        for name, p in self.parameters.items():
            p -= lr * self.grads["dJd" + name]
        return (y_hat - y).pow(2).mean()

    def forward(self, x):
        f, g = FUNCTIONS[self.f_function][0], FUNCTIONS[self.g_function][0]
        z1 = x @ self.parameters["W1"].t() + self.parameters["b1"]
        a1 = f(z1)
        z2 = a1 @ self.parameters["W2"].t() + self.parameters["b2"]
        y = g(z2)
        self.cache = dict(x=x, z1=z1, a1=a1, z2=z2, y=y)
        return y

    def backward(self, dJdy_hat):
        c = self.cache
        dz2 = dJdy_hat * FUNCTIONS[self.g_function][1](c["z2"], c["y"])
        self.grads["dJdW2"] = dz2.t() @ c["a1"]
        self.grads["dJdb2"] = dz2.sum(0)
        dz1 = (dz2 @ self.parameters["W2"]) * FUNCTIONS[self.f_function][1](c["z1"], c["a1"])
        self.grads["dJdW1"] = dz1.t() @ c["x"]
        self.grads["dJdb1"] = dz1.sum(0)
