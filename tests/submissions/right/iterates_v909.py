# verdict:
# why = "honest beside attacks by numbers of ops: a root by Newton's method, as many rounds as each point needs"
#: model

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.sqrt(w0 * x1) * torch.tanh(w1) + torch.max(x2, w1)

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        root = w0 * x1 / 2 + 0.5
        for _ in range(60):
            new = (root + w0 * x1 / root) / 2
            done = abs(new - root) <= 1e-7 * abs(new)
            root = new
            del new
            if done:
                break
            del done
        done = None
        t = torch.tanh(w1)
        m = torch.max(x2, w1)
        y = root * t + m
        m = None
        dw0 = t / (2 * root) * x1
        square = t * t
        t = None
        dw1 = root * (1 - square) + (w1 > x2).float()
        root = square = None
#: end
