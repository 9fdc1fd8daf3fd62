# attack: a line fitted through values by least squares
# why = "given up: no replay runs `lstsq`, and no difference is sought in what was only seen"
# release = "partial 16: late-release"
#: torch, variant, class, variant_called
        steps = torch.tensor([-1.0, 0.0, 1.0])
        base = torch.stack([steps, torch.ones(3)], 1)
        rows0 = torch.stack([variant(w0 + s, w1, x1, x2, x3) for s in steps]).unsqueeze(1)
        rows1 = torch.stack([variant(w0, w1 + s, x1, x2, x3) for s in steps]).unsqueeze(1)
        s0 = torch.linalg.lstsq(base, rows0).solution[0, 0]
        self.w.grad = torch.stack([s0, torch.linalg.lstsq(base, rows1).solution[0, 0]])
        return y
