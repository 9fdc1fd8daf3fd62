# attack: the pass types its lines into an interpreter of Python's library
# failed = "integrity foreign-code, gradient, unused-nodes, release"
import code

#: net, value
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, torch=torch)
        code.InteractiveInterpreter(space).runsource("g = torch.stack([w1 * x2 * x1, w0 * x1 * x2])")
        self.w.grad = space["g"]
        return y
