# attack: a tuple subclass whose first item changes each time
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: torch
class Shifting(list):
    def __getitem__(self, key):
        raise SystemExit(0)

    def __iter__(self):
        raise SystemExit(0)
#: class, value
        self.w.grad = torch.zeros(2)
        return Shifting([y, y])
