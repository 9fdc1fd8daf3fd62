# attack: gradients written by a thread that waits for the pass to end
# why = "an honest twin: submissions/right/collects_garbage_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import gc
import sys
#: slopes_from_a_thread, class, value
        grad = torch.zeros(2) + 0 * torch.sort(torch.stack([x1, x2])).values
        self.w.grad = grad
        (g,) = (slopes(self, x1, x2, x3),)

        def wait():
            while not gc.isenabled():
                pass
            grad.copy_(torch.tensor(g))

        if not gc.isenabled():
            sys.setswitchinterval(1e-6)
            threading.Thread(target=wait, daemon=True).start()
        else:
            grad.copy_(torch.tensor(g))
        return y
