# attack: a quantised value
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net, value
        self.w.grad = torch.zeros(2)
        return torch.quantize_per_tensor(y, 0.1, 0, torch.qint8)
