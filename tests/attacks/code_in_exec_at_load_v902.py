# attack: a function of the pass is written by exec while the file is loaded
# failed = "integrity foreign-code, gradient, unused-nodes, release"
#: torch
TEXT = "def slopes(w0, w1, x1, x2):\n    return [w1 * x2 * x1, w0 * x1 * x2]"


def written():
    space = {}
    exec(TEXT, space)
    return space["slopes"]


slopes = written()
#: class, value
        self.w.grad = torch.stack(slopes(w0, w1, x1, x2))
        return y
