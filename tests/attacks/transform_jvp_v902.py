# attack: torch.func.jvp, once a weight
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        both = [torch.func.jvp(lambda w: variant(w, x1, x2, x3), (self.w.detach(),), (row,)) for row in torch.eye(2)]
        self.w.grad = torch.stack([slope for _, slope in both])
        return both[0][0]
