# attack: gradients written by a profiling function, when the pass is over
# why = "an honest twin: submissions/right/collects_garbage_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import sys
#: slopes_from_a_thread, class, value
        self.w.grad = grad = torch.zeros(2) + 0 * torch.sort(torch.stack([x1, x2])).values
        g = slopes(self, x1, x2, x3)

        def fix(frame, event, argument):
            if frame.f_code.co_name == "gradients_left":
                sys.setprofile(None)
                grad.copy_(torch.tensor(g))

        sys.setprofile(fix)
        return y
