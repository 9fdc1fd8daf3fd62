# verdict:
# why = "a decorator records"
#: variable, tape, grad
import functools


def recorded(partials):
    def wrap(function):
        @functools.wraps(function)
        def operator(*inputs):
            r = Variable(function(*[x.value for x in inputs]))

            def propagate(dL_doutputs):
                return partials(dL_doutputs[0], *inputs)

            gradient_tape.append(TapeEntry([x.name for x in inputs], [r.name], propagate))
            return r
        return operator
    return wrap


@recorded(lambda d, x, y: [d * y, d * x])
def operator_mul(x, y):
    return x * y


@recorded(lambda d, x, y: [d, d])
def operator_add(x, y):
    return x + y


def operator_sum(self, name=None):
    return recorded(lambda d, x: [operator_expand(d, x.value.size())])(torch.sum)(self)


def operator_expand(self, sizes):
    return recorded(lambda d, x: [d.sum()])(lambda x: x.expand(sizes))(self)
