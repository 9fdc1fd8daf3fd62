# attack: a pass that returns an object that unpickles into code
# failed = "manual-forward wrong-type, gradient wrong-gradient, unused-nodes, release"
import os

#: torch
class Bomb:
    def __reduce__(self):
        return os.system, ("touch @outside@/unpickled",)
#: class
        self.w.grad = torch.zeros(2)
        return Bomb()
