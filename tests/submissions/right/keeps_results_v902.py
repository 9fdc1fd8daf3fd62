# verdict:
# why = "keeps y and its gradients as NumPy copies"
#: model
        self.history = []
#: forward, pass, values
        c = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        self.history.append((y.numpy().copy(), self.w.grad.numpy().copy(), self.w.grad.tolist()))
        return y
