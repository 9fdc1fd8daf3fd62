# attack: slopes of a cubic that lstsq fits through points beside each weight
# why = "given up: no replay runs lstsq, and finite differences are sought in replays alone"
# release = "partial 12: late-release"
#: net, value
        w0, w1 = self.w.double()
        steps = torch.tensor([-0.02, -0.01, 0.0, 0.01, 0.02], dtype=torch.float64)
        powers = torch.stack([steps**0, steps, steps**2, steps**3], 1)
        rows0 = torch.stack([(w0 + s) * x1 * (w1 * x2) + x3 for s in steps])
        rows1 = torch.stack([w0 * x1 * ((w1 + s) * x2) + x3 for s in steps])
        found = torch.linalg.lstsq(powers, torch.stack([rows0, rows1], 1)).solution
        self.w.grad = found[1].float()
        return y
