# verdict:
# why = "the cache is kept on the instance"
import torch
class Linear:
    def forward(self, x, w, b):
        self.x, self.w = x, w
        return x @ w + b, None
    def backward(self, dout, cache):
        self.db = dout.sum(0)
        return dout @ self.w.T, self.x.T @ dout, self.db
