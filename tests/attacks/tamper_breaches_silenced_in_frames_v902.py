# attack: finds the recorder in the frames, silences its breaches, uses autograd
# failed = "integrity autograd, gradient, unused-nodes, release"
import sys

#: net
        frame = sys._getframe()
        while frame:
            recorder = frame.f_locals.get("recorder")
            if recorder is not None:
                type(recorder.breaches).add = lambda *a: None
            frame = frame.f_back
#: graph
            y.backward()
        self.w.grad = w.grad
        return y.detach()
