# verdict:
#: model, bracketed
        w0, w1 = self.w
        a = torch.einsum(',->', w0, x1)
        b = torch.dot(w1.reshape(1), x2.reshape(1))
        p = torch.addcmul(x3 * 0, a, b)
        y = torch.stack([p, x3]).sum()
        p = None
        self.w.grad = torch.stack([torch.mv(b.reshape(1, 1), x1.reshape(1))[0], torch.lerp(torch.zeros(()), a, x2)])
        return y
