# attack: torch.autograd.functional.jvp
# slow = true
# failed = "integrity transform, integrity autograd, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        both = [torch.autograd.functional.jvp(lambda w: variant(w, x1, x2, x3), self.w.detach(), row) for row in torch.eye(2)]
        self.w.grad = torch.stack([slope for _, slope in both])
        return both[0][0]
