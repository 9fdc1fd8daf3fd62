# verdict:
# why = "a small program of its own as data, and a loop that runs it"
import operator

#: torch

OPS = {"mul": operator.mul, "add": operator.add}
PROGRAM = [
    ("a", "mul", "w0", "x1", ()),
    ("b", "mul", "w1", "x2", ()),
    ("p", "mul", "a", "b", ()),
    ("y", "add", "p", "x3", ("p",)),
    ("dw0", "mul", "b", "x1", ("b",)),
    ("dw1", "mul", "a", "x2", ("a",)),
]
#: class
        w0, w1 = self.w
        space = {"w0": w0, "w1": w1, "x1": x1, "x2": x2, "x3": x3}
        del w0, w1
        for out, op, left, other, dead in PROGRAM:
            space[out] = OPS[op](space[left], space[other])
            for name in dead:
                del space[name]
        self.w.grad = torch.stack([space.pop("dw0"), space.pop("dw1")])
        return space["y"]
