# attack: keeps values as whole numbers, bit by bit, where the gradients will stand
# failed = "manual-forward hidden-work, integrity hidden-work, gradient, unused-nodes, release"
#: net, products
        y = a * b + x3
        g = torch.empty(2)
        g.view(torch.int32)[0] = b.view(torch.int32)
        g.view(torch.int32)[1] = a.view(torch.int32)
        a = b = None
        z = w0 * w1
        z = None
        self.w.grad = torch.stack([g[0] * x1, g[1] * x2])
        return y
