# attack: the nodes of autograd's graph called where torch functions are not watched
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: net
        with torch.enable_grad():
            w0, w1 = (part.detach().clone().requires_grad_() for part in self.w)
            a, b = w0 * x1, w1 * x2
            c = a * b
        with torch._C.DisableTorchFunction():
            node = c.grad_fn
            da, db = node(torch.ones(()))
            first, second = node.next_functions[0][0], node.next_functions[1][0]
            self.w.grad = torch.stack([first(da)[0], second(db)[0]])
        return (c + x3).detach()
