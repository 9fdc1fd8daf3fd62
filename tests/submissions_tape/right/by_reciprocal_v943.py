# verdict:
# why = "a quotient is a product with the reciprocal"
#: note, minus
def reciprocal(x):
    r = Variable(1.0 / x.value)
    gradient_tape.append(TapeEntry([x.name], [r.name], lambda d: [-(d[0] * r * r)]))
    return r


Variable.__truediv__ = lambda self, rhs: self * reciprocal(rhs)
