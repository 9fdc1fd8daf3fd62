# verdict:
#: net
        x = torch.stack([x1, x2])
        products = self.w * x
        y = products.prod() + x3
        self.w.grad = products.flip(0) * x
        del products, x
        return y
