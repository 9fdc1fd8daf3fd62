# attack: silences the breaches for as long as autograd runs, then puts all back
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net
        mode = torch.utils._python_dispatch._get_current_dispatch_mode()
        recorder = getattr(mode, "_listener", None)
        kind = type(getattr(recorder, "breaches", self))
        kept = getattr(kind, "add", None)
        if kept is not None:
            kind.add = lambda *a: None
#: graph
            y.backward()
        if kept is not None:
            kind.add = kept
        self.w.grad = w.grad
        return y.detach()
