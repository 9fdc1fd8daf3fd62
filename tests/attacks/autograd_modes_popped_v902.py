# attack: pops the recorder's modes, runs autograd, puts them back
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: net, value
        from torch.utils._python_dispatch import _pop_mode, _push_mode

        mode = _pop_mode() if torch._C._len_torch_dispatch_stack() else None
        w = self.w.detach().clone().requires_grad_()
        with torch._C.DisableTorchFunction(), torch.enable_grad():
            (w[0] * x1 * (w[1] * x2) + x3).backward()
        if mode is not None:
            _push_mode(mode)
        self.w.grad = w.grad
        return y
