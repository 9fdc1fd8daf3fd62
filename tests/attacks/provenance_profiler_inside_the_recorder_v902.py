# attack: gradients written by a profiling function while an op is being noted
# why = "an honest twin: submissions/right/collects_garbage_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import ctypes
import gc
import sys

#: slopes_of_memory, class, value
        grad = torch.zeros(2) + 0 * torch.sort(torch.stack([x1, x2])).values
        self.w.grad = grad

        def work(frame, event, argument):
            if frame.f_code.co_name == "on_op" or gc.isenabled():
                sys.setprofile(None)
                grad.copy_(torch.tensor(slopes(self, x1, x2, x3)))

        sys.setprofile(work)
        return y + abs(0.0)
