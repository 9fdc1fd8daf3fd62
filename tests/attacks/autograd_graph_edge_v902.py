# attack: the graph's node through get_gradient_edge
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net
        with torch.enable_grad():
            w0, w1 = (part.detach().clone().requires_grad_() for part in self.w)
            c = w0 * x1 * (w1 * x2)
        node = torch.autograd.graph.get_gradient_edge(c).node
        da, db = node(torch.ones(()))
        self.w.grad = torch.stack([node.next_functions[0][0](da)[0], node.next_functions[1][0](db)[0]])
        return (c + x3).detach()
