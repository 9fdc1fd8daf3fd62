# attack: torch.func.linearize
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        y, slope = torch.func.linearize(lambda w: variant(w, x1, x2, x3), self.w.detach())
        self.w.grad = torch.stack([slope(row) for row in torch.eye(2)])
        return y
