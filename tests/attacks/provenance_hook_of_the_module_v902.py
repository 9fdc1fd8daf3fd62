# attack: a forward hook that works on a thread while the pass calls the module
# why = "an honest twin: submissions/right/own_decorator_v902.py"
# failed = "integrity hidden-work, manual-forward calls-forward, gradient, unused-nodes, release"
#: slopes_from_a_thread


def hook(net, inputs, output):
    net.numbers = slopes(net, *inputs)
#: weights
        self.register_forward_hook(hook)
#: forward, pass
        w0, w1 = self.w
        self.w.inputs = (x1, x2, x3)
        y = self(x1, x2, x3)
        self.w.grad = torch.tensor(self.numbers) + 0 * torch.sort(torch.stack([x1, x2])).values
        return y
