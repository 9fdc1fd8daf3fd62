# verdict:
# why = "torch.vmap differentiates nothing"
#: model, forward, pass
        x = torch.stack([x1, x2])
        p = torch.vmap(torch.mul)(self.w, x)
        y = p.prod() + x3
        self.w.grad = torch.func.vmap(lambda other, x: 0.5 * other * (x + x))(p.flip(0), x)
        return y
