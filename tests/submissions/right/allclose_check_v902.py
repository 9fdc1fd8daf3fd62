# verdict:
#: torch, class, products, y, slopes
        self.w.grad = torch.stack([dw0, dw1])
        assert torch.allclose(y, self.forward(x1, x2, x3))
        return y
