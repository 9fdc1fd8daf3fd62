# verdict:
#: model

    def forward(self, x1, x2):
        d = (self.w[0] * x1 - self.w[1] * x2).reshape(1)
        out = torch.zeros(1)
        out[d > 0] = d[d > 0]
        return out[0]
#: pass
        d = (self.w[0] * x1 - self.w[1] * x2).reshape(1)
        y = d.relu()
        g = (d > 0).float()
        del d
        dw0 = g * x1
        dw1 = -g * x2
        del g
        self.w.grad = torch.cat([dw0.reshape(1), dw1.reshape(1)])
        return y.reshape(())
