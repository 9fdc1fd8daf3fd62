# verdict:
# why = "as Dive into Deep Learning adds methods to a class, cell by cell"
#: torch
def add_to_class(Class):
    def wrapper(obj):
        setattr(Class, obj.__name__, obj)

    return wrapper
#: weights


@add_to_class(Net)
def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3


@add_to_class(Net)
def my_forward_backward(self, x1, x2, x3):
#: honest
