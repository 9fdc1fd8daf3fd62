# attack: the same, where hooks of its own see what the graph saves
# why = "given up: a node of a graph is seen where it is asked for by grad_fn"
# release = "partial 12: late-release"
#: torch, tap, class
        same = lambda tensor: tensor
        with torch.enable_grad(), torch.autograd.graph.saved_tensors_hooks(same, same):
            w0, w1 = (part.detach().clone().requires_grad_() for part in self.w)
            a, b = w0 * x1, w1 * x2
            c = a * b
            Tap.apply(c)
#: tapped
