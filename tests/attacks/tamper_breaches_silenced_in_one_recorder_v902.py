# attack: finds the recorder in the frames, silences the breaches of this one run, uses autograd
# failed = "integrity autograd, gradient, unused-nodes, release"
import sys

#: net
        frame = sys._getframe()
        while frame:
            recorder = frame.f_locals.get("recorder")
            if recorder is not None:
                recorder.breaches.add = lambda *a: None
            frame = frame.f_back
#: graph
            y.backward()
        self.w.grad = w.grad
        return y.detach()
