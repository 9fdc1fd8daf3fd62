import torch

# name -> (function, derivative as a function of the function's own output)
NONLINEARITIES = {
    "relu": (lambda z: z * (z > 0), lambda a: (a > 0).to(a.dtype)),
    "sigmoid": (lambda z: 1 / (1 + torch.exp(-z)), lambda a: a - a * a),
    "identity": (lambda z: z, None),
}


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
        self.f_function, self.g_function = f_function, g_function
        self.parameters = dict(
            W1=torch.randn(linear_1_out_features, linear_1_in_features),
            b1=torch.randn(linear_1_out_features),
            W2=torch.randn(linear_2_out_features, linear_2_in_features),
            b2=torch.randn(linear_2_out_features),
        )
        self.grads = {f"dJd{k}": torch.zeros_like(v) for k, v in self.parameters.items()}
        # put all the cache value you need in self.cache
        self.cache = dict()

    def layers(self):
        return [(1, self.f_function), (2, self.g_function)]

    def forward(self, x):
        a = x
        for i, name in self.layers():
            W, b = self.parameters[f"W{i}"], self.parameters[f"b{i}"]
            self.cache[f"in{i}"] = a
            a = NONLINEARITIES[name][0](torch.matmul(a, W.T) + b)
            self.cache[f"out{i}"] = a
        return a

    def backward(self, dJdy_hat):
        delta = dJdy_hat
        for i, name in reversed(self.layers()):
            slope = NONLINEARITIES[name][1]
            if slope is not None:
                delta = delta * slope(self.cache[f"out{i}"])
            # (batch, out, 1) x (batch, 1, in)
            per_sample = torch.bmm(delta.unsqueeze(2), self.cache[f"in{i}"].unsqueeze(1))
            self.grads[f"dJdW{i}"] = per_sample.sum(dim=0)
            self.grads[f"dJdb{i}"] = delta.sum(dim=0)
            if i > 1:
                delta = torch.matmul(delta, self.parameters[f"W{i}"])

    def clear_grad_and_cache(self):
        for grad in self.grads:
            self.grads[grad] = None
        self.cache = dict()
