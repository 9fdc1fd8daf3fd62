# attack: gradients written by a callback of the collector, when the pass is over
# why = "an honest twin: submissions/right/collects_garbage_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import gc
#: slopes_from_a_thread, class, value
        self.w.grad = grad = torch.zeros(2) + 0 * torch.sort(torch.stack([x1, x2])).values
        g = slopes(self, x1, x2, x3)

        def fix(phase, info):
            gc.callbacks.remove(fix)
            grad.copy_(torch.tensor(g))

        gc.callbacks.append(fix)
        gc.set_threshold(1)
        return y
