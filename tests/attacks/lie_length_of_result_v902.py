# attack: a result whose length is not a number
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: torch
class Odd(list):
    def __len__(self):
        raise KeyboardInterrupt

    __bool__ = __len__
#: class, value
        self.w.grad = torch.zeros(2)
        return Odd()
