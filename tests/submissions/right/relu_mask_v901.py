# verdict:
#: net, product
        y = torch.relu(a) + w1 * x2
        mask = (a > 0).float()
        del a
        dw0 = mask * x1
        del mask
        self.w.grad = torch.stack([dw0, x2])
        return y
