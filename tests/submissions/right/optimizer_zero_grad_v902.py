# verdict:
#: net
        torch.optim.SGD(self.parameters(), lr=0.1).zero_grad()
        w0, w1 = nn.utils.parameters_to_vector(self.parameters()).detach()
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        grads = torch.stack([b * x1, a * x2])
        del a, b
        for name, p in self.named_parameters():
            setattr(p, "grad", grads.clone())
        return y
