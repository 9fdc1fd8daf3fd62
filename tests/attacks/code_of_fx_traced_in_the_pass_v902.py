# attack: torch.fx traces in the pass, and its interpreter runs the graph
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        y = torch.fx.Interpreter(torch.fx.symbolic_trace(variant)).run(self.w.detach(), x1, x2, x3)
        w0, w1 = self.w
        self.w.grad = torch.stack([w1 * x2 * x1, w0 * x1 * x2])
        return y
