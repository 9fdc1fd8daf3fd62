# verdict:
# why = "an operation is an object with forward and propagate"
#: variable, tape, grad
class Operation:
    def __init__(self, *inputs):
        self.inputs = inputs

    def __call__(self):
        r = Variable(self.forward(*[x.value for x in self.inputs]))
        gradient_tape.append(TapeEntry([x.name for x in self.inputs], [r.name], self.propagate))
        return r


class Mul(Operation):
    def forward(self, x, y):
        return x * y

    def propagate(self, dL_doutputs):
        x, y = self.inputs
        return [dL_doutputs[0] * y, dL_doutputs[0] * x]


class Add(Operation):
    def forward(self, x, y):
        return x + y

    def propagate(self, dL_doutputs):
        return [dL_doutputs[0], dL_doutputs[0]]


class Sum(Operation):
    def forward(self, x):
        return x.sum()

    def propagate(self, dL_doutputs):
        return [Expand(dL_doutputs[0], size=self.inputs[0].value.size())()]


class Expand(Operation):
    def __init__(self, *inputs, size):
        super().__init__(*inputs)
        self.size = size

    def forward(self, x):
        return x.expand(self.size)

    def propagate(self, dL_doutputs):
        return [Sum(dL_doutputs[0])()]


def operator_mul(x, y):
    return Mul(x, y)()


def operator_add(x, y):
    return Add(x, y)()


def operator_sum(x, name=None):
    return Sum(x)()


def operator_expand(x, size):
    return Expand(x, size=size)()
