# verdict:
# why = "first order on tensors"
#: note
def pointwise(function, slope):
    def operator(self):
        y = function(self.value)
        r = Variable(y)
        x = self.value
        gradient_tape.append(TapeEntry([self.name], [r.name], lambda d: [Variable(d[0].value * slope(x, y))]))
        return r
    return operator


Variable.exp = pointwise(torch.exp, lambda x, y: y)
Variable.log = pointwise(torch.log, lambda x, y: 1 / x)
Variable.tanh = pointwise(torch.tanh, lambda x, y: 1 - y * y)
