# verdict:
import functools

#: torch
def traced(method):
    @functools.wraps(method)
    def inner(self, *args, **kwargs):
        return method(self, *args, **kwargs)
    return inner
#: weights, forward

    @traced
    def my_forward_backward(self, x1, x2, x3):
#: honest
