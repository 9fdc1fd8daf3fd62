# verdict:
# why = "the gradients leave as numbers of NumPy's"
#: net, values
        c = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.tensor([dw0.numpy().item(), float(dw1.numpy())])
        return y
