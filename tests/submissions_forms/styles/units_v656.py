import numpy as np
import torch


def act(name, z):
    if name == 'relu':
        out = z.clone()
        out[z < 0] = 0.
        return out
    elif name == 'sigmoid':
        return 1. / (1. + torch.exp(-z))
    return z


def d_act(name, z, a):
    """derivative of the activation, by the names z (before) and a (after)"""
    if name == 'relu':
        return torch.where(z > 0, torch.ones_like(z), torch.zeros_like(z))
    elif name == 'sigmoid':
        return a * (1. - a)
    return torch.ones_like(z)


class MLP:
    def __init__(self, linear_1_in_features, linear_1_out_features, f_function,
                 linear_2_in_features, linear_2_out_features, g_function):
        self.f_function = f_function
        self.g_function = g_function
        self.parameters = {
            'W1': torch.tensor(np.random.randn(linear_1_out_features, linear_1_in_features)),
            'b1': torch.tensor(np.random.randn(linear_1_out_features)),
            'W2': torch.tensor(np.random.randn(linear_2_out_features, linear_2_in_features)),
            'b2': torch.tensor(np.random.randn(linear_2_out_features)),
        }
        self.grads = {'dJd' + k: torch.tensor(np.zeros(p.shape)) for k, p in self.parameters.items()}
        self.cache = ()

    def forward(self, x):
        p = self.parameters
        z1 = (x[:, np.newaxis, :] * p['W1'][np.newaxis, :, :]).sum(axis=2) + p['b1']
        a1 = act(self.f_function, z1)
        z2 = (a1[:, np.newaxis, :] * p['W2'][np.newaxis, :, :]).sum(axis=2) + p['b2']
        y_hat = act(self.g_function, z2)
        self.cache = (x, z1, a1, z2, y_hat)
        return y_hat

    def backward(self, dJdy_hat):
        x, z1, a1, z2, y_hat = self.cache
        delta2 = dJdy_hat * d_act(self.g_function, z2, y_hat)
        delta1 = torch.zeros_like(z1)
        # unit by unit of the last layer
        for k in range(delta2.shape[1]):
            d = delta2[:, k]
            self.grads['dJdW2'][k] = (d[:, None] * a1).sum(axis=0)
            self.grads['dJdb2'][k] = d.sum()
            delta1 += d[:, None] * self.parameters['W2'][k]
        delta1 *= d_act(self.f_function, z1, a1)
        # and of the hidden one
        for h in range(delta1.shape[1]):
            d = delta1[:, h]
            self.grads['dJdW1'][h] = (d[:, None] * x).sum(axis=0)
            self.grads['dJdb1'][h] = d.sum()

    def clear_grad_and_cache(self):
        for g in self.grads.values():
            g[...] = 0.
        self.cache = ()
