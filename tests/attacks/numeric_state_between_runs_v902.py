# attack: keeps the points of earlier runs and answers from them
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: torch
SEEN = []
#: class, value
        SEEN.append((w0.item(), w1.item(), x1.item(), x2.item()))
        a, b, c, d = SEEN[-1]
        self.w.grad = torch.tensor([c * b * d, a * c * d])
        return y
