import torch


def relu(z):
    return z * (z > 0)


def relu_prime(z):
    return torch.where(z > 0, 1.0, 0.0)


def sigmoid(z):
    return (1 + torch.exp(-z)) ** -1


def sigmoid_prime(z):
    s = sigmoid(z)
    return s - s ** 2


def identity(z):
    return z


def identity_prime(z):
    return torch.ones_like(z)


FUNCTIONS = {
    "relu": (relu, relu_prime),
    "sigmoid": (sigmoid, sigmoid_prime),
    "identity": (identity, identity_prime),
}


class MLP:
    def __init__(self, linear_1_in_features, linear_1_out_features, f_function,
                 linear_2_in_features, linear_2_out_features, g_function):
        self.f, self.df = FUNCTIONS[f_function]
        self.g, self.dg = FUNCTIONS[g_function]
        self.parameters = {
            "W1": torch.randn(linear_1_out_features, linear_1_in_features),
            "b1": torch.randn(linear_1_out_features),
            "W2": torch.randn(linear_2_out_features, linear_2_in_features),
            "b2": torch.randn(linear_2_out_features),
        }
        self.grads = {"dJd" + k: torch.zeros_like(v) for k, v in self.parameters.items()}
        self.cache = {}

    def forward(self, x):
        P = self.parameters
        z1 = torch.addmm(P["b1"], x, P["W1"].T)
        z2 = self.f(z1)
        z3 = torch.addmm(P["b2"], z2, P["W2"].T)
        y_hat = self.g(z3)
        # local gradients are needed in backward only
        self.cache = {"x": x, "z2": z2, "dz2dz1": self.df(z1), "dy_hatdz3": self.dg(z3)}
        return y_hat

    def backward(self, dJdy_hat):
        C = self.cache
        dJdz3 = torch.mul(dJdy_hat, C["dy_hatdz3"])
        dJdz2 = torch.einsum("bm,mh->bh", dJdz3, self.parameters["W2"])
        dJdz1 = torch.mul(dJdz2, C["dz2dz1"])
        self.grads["dJdW1"] = torch.einsum("bh,bd->hd", dJdz1, C["x"])
        self.grads["dJdb1"] = dJdz1.sum(0)
        self.grads["dJdW2"] = torch.einsum("bm,bh->mh", dJdz3, C["z2"])
        self.grads["dJdb2"] = dJdz3.sum(0)

    def clear_grad_and_cache(self):
        for k in self.grads:
            self.grads[k].zero_()
        self.cache.clear()
