# verdict:
# why = "wraps, partial, reduce, cached properties: Python's library between the op and its line"
import functools
import operator

#: torch

def told(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@told
def times(*factors):
    return functools.reduce(lambda a, b: a * b, factors)
#: weights, forward, pass_without_grad
        w0, w1 = self.w
        a = times(w0, x1)
        b = times(w1, x2)
        y = functools.reduce(operator.add, [times(a, b), x3])
        dw0, = map(functools.partial(operator.mul, x1), [b])
        del b
        dw1 = max([a], key=lambda t: 0) * x2
        del a
#: end
