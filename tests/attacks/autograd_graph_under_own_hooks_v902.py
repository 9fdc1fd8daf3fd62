# attack: the same, where hooks of its own see what the graph saves
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: torch, tap, class
        same = lambda tensor: tensor
        with torch.enable_grad(), torch.autograd.graph.saved_tensors_hooks(same, same):
            w0, w1 = (part.detach().clone().requires_grad_() for part in self.w)
            a, b = w0 * x1, w1 * x2
            c = a * b
            Tap.apply(c)
#: tapped
