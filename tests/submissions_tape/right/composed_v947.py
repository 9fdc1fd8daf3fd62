# verdict:
# why = "of exp and the quotient"
#: note, minus, div, exp
def sigmoid(x):
    e = x.exp()
    one = Variable(torch.ones(()))
    return e / (e + one)


class Variable(Variable):
    pass
