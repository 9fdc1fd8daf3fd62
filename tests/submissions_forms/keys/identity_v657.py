import torch


class MLP:
    def __init__(self, d, h, f, h_too, m, g):
        self.f_function = f
        self.g_function = g
        self.parameters = dict(
            W1=torch.randn(h, d), b1=torch.randn(h), W2=torch.randn(m, h_too), b2=torch.randn(m)
        )
        self.grads = dict(
            dJdW1=torch.zeros(h, d), dJdb1=torch.zeros(h), dJdW2=torch.zeros(m, h_too), dJdb2=torch.zeros(m)
        )
        self.cache = dict()

    def forward(self, x):
        z1 = x @ self.parameters["W1"].T + self.parameters["b1"]
        if self.f_function == "relu":
            z2 = torch.clamp(z1, min=0)
        elif self.f_function == "sigmoid":
            z2 = torch.sigmoid(z1)
        else:
            z2 = z1
        z3 = z2 @ self.parameters["W2"].T + self.parameters["b2"]
        if self.g_function == "relu":
            y_hat = torch.clamp(z3, min=0)
        elif self.g_function == "sigmoid":
            y_hat = torch.sigmoid(z3)
        else:
            y_hat = z3
        self.cache = {"x": x, "z1": z1, "z2": z2, "z3": z3, "y_hat": y_hat}
        return y_hat

    def backward(self, dJdy_hat):
        x, z1, z2 = self.cache["x"], self.cache["z1"], self.cache["z2"]
        z3, y_hat = self.cache["z3"], self.cache["y_hat"]
        dy_hatdz3 = torch.ones_like(z3)
        if self.g_function == "relu":
            dy_hatdz3 = (z3 > 0).float()
        elif self.g_function == "sigmoid":
            dy_hatdz3 = y_hat * (1 - y_hat)
        dJdz3 = dJdy_hat * dy_hatdz3
        self.grads["dJdW2"] = dJdz3.T @ z2
        self.grads["dJdb2"] = torch.sum(dJdz3, 0)
        dz2dz1 = torch.ones_like(z1)
        if self.f_function == "relu":
            dz2dz1 = (z1 > 0).float()
        elif self.f_function == "sigmoid":
            dz2dz1 = z2 * (1 - z2)
        dJdz1 = (dJdz3 @ self.parameters["W2"]) * dz2dz1
        self.grads["dJdW1"] = dJdz1.T @ x
        self.grads["dJdb1"] = torch.sum(dJdz1, 0)
