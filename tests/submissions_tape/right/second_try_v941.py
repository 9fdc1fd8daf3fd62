# verdict:
# why = "the first mul is wrong, the second one counts"
#: note
def operator_mul(self, rhs):
    return Variable(self.value + rhs.value)


loss = operator_mul(Variable(torch.ones(3)), Variable(torch.ones(3)))
assert loss.value.sum() == 3, 'this would not hold'


def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    r = Variable(self.value * rhs.value)
    gradient_tape.append(TapeEntry([self.name, rhs.name], [r.name], lambda d: [d[0] * rhs, d[0] * self]))
    return r
