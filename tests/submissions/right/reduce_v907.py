# verdict:
import functools
import operator

#: net
        w0, w1 = self.w
        t1 = w0 ** 2
        t2 = w1 * x1
        r1 = functools.reduce(operator.add, [t1, t2])
        t1 = t2 = None
#: r2, y, g1
        dw0 = functools.reduce(lambda p, q: p + q, [g1 * w0, g1 * w0, r1 * x2])
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
