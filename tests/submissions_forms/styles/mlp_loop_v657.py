import torch


class MLP:
    def __init__(self, in1, out1, f_function, in2, out2, g_function):
        self.names = [f_function, g_function]
        self.parameters = dict(
            W1=torch.randn(out1, in1),
            b1=torch.randn(out1),
            W2=torch.randn(out2, in2),
            b2=torch.randn(out2),
        )
        self.grads = dict(
            dJdW1=torch.zeros(out1, in1),
            dJdb1=torch.zeros(out1),
            dJdW2=torch.zeros(out2, in2),
            dJdb2=torch.zeros(out2),
        )
        self.cache = dict()

    def forward(self, x):
        a = x
        for k, name in enumerate(self.names, start=1):
            self.cache[f"in{k}"] = a
            a = a @ self.parameters[f"W{k}"].t()
            a = a + self.parameters[f"b{k}"]
            if name == "relu":
                a = torch.relu(a)
            elif name == "sigmoid":
                a = (1 + torch.exp(-a)).reciprocal()
            self.cache[f"out{k}"] = a
        return a

    def backward(self, dJdy_hat):
        # go from the last layer to the first
        delta = dJdy_hat
        for k in (2, 1):
            a = self.cache[f"out{k}"]
            if self.names[k - 1] == "relu":
                delta = delta * (a > 0)
            elif self.names[k - 1] == "sigmoid":
                delta = delta * (a - a * a)
            inputs = self.cache[f"in{k}"]
            self.grads[f"dJdW{k}"] = delta.t() @ inputs
            self.grads[f"dJdb{k}"] = torch.ones(len(delta)) @ delta
            delta = delta @ self.parameters[f"W{k}"]

    def clear_grad_and_cache(self):
        for name in self.grads:
            self.grads[name] = torch.zeros_like(self.grads[name])
        self.cache = dict()
