# attack: takes the recorder out of torch's mode stack and empties its breaches
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, graph
            y.backward()
        self.w.grad = w.grad
        mode = torch.utils._python_dispatch._get_current_dispatch_mode()
        if mode is not None:
            mode._listener.breaches._by_kind.clear()
        return y.detach()
