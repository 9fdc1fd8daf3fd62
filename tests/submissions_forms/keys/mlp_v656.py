import torch


class MLP:
    def __init__(
        self,
        linear_1_in_features,
        linear_1_out_features,
        f_function,
        linear_2_in_features,
        linear_2_out_features,
        g_function,
    ):
        self.f_function = f_function
        self.g_function = g_function

        self.parameters = dict(
            W1=torch.randn(linear_1_out_features, linear_1_in_features),
            b1=torch.randn(linear_1_out_features),
            W2=torch.randn(linear_2_out_features, linear_2_in_features),
            b2=torch.randn(linear_2_out_features),
        )
        self.grads = dict(
            dJdW1=torch.zeros(linear_1_out_features, linear_1_in_features),
            dJdb1=torch.zeros(linear_1_out_features),
            dJdW2=torch.zeros(linear_2_out_features, linear_2_in_features),
            dJdb2=torch.zeros(linear_2_out_features),
        )
        # put all the cache value you need in self.cache
        self.cache = dict()

    def activate(self, name, z):
        if name == "relu":
            return torch.max(z, torch.zeros_like(z))
        if name == "sigmoid":
            return 1 / (1 + torch.exp(-z))
        return z

    def slope(self, name, z):
        if name == "relu":
            return (z > 0).to(z.dtype)
        if name == "sigmoid":
            s = 1 / (1 + torch.exp(-z))
            return s * (1 - s)
        return torch.ones_like(z)

    def forward(self, x):
        s1 = torch.matmul(x, self.parameters["W1"].t()) + self.parameters["b1"]
        a1 = self.activate(self.f_function, s1)
        s2 = torch.matmul(a1, self.parameters["W2"].t()) + self.parameters["b2"]
        self.cache["x"] = x
        self.cache["s1"] = s1
        self.cache["a1"] = a1
        self.cache["s2"] = s2
        return self.activate(self.g_function, s2)

    def backward(self, dJdy_hat):
        dJds2 = dJdy_hat * self.slope(self.g_function, self.cache["s2"])
        self.grads["dJdW2"] = torch.matmul(dJds2.t(), self.cache["a1"])
        self.grads["dJdb2"] = dJds2.sum(dim=0)
        dJda1 = torch.matmul(dJds2, self.parameters["W2"])
        dJds1 = dJda1 * self.slope(self.f_function, self.cache["s1"])
        self.grads["dJdW1"] = torch.matmul(dJds1.t(), self.cache["x"])
        self.grads["dJdb1"] = dJds1.sum(dim=0)

    def clear_grad_and_cache(self):
        for grad in self.grads:
            self.grads[grad].zero_()
        self.cache = dict()
