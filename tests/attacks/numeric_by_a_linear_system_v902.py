# attack: differences by a system of linear equations
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            u, v = w * x1 * x2 + x3, w * w + x2
            A = torch.stack([torch.stack([u, torch.ones(())]), torch.stack([v, torch.ones(())])])
            return torch.linalg.solve(A, torch.stack([f(u), f(v)]))[0]
#: both_slopes
