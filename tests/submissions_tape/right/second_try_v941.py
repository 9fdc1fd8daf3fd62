# verdict:
# why = "the first mul is wrong, the second one counts"
#: note
def operator_mul(self, rhs):
    return Variable(self.value + rhs.value)


loss = operator_mul(Variable(torch.ones(3)), Variable(torch.ones(3)))
assert loss.value.sum() == 3, 'this would not hold'


#: mul
