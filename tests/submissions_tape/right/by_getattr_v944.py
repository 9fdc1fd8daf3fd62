# verdict:
# why = "the class looks operators up by name"
#: note, minus, div
FUNCTIONS = {
    'exp': (torch.exp, lambda d, x, y: d * y),
    'log': (torch.log, lambda d, x, y: d / x),
    'tanh': (torch.tanh, lambda d, x, y: d - d * y * y),
}


class Variable(Variable):
    def __getattr__(self, name):
        if name not in FUNCTIONS:
            raise AttributeError(name)
        function, rule = FUNCTIONS[name]

        def operator():
            r = Variable(function(self.value))
            gradient_tape.append(TapeEntry([self.name], [r.name], lambda d: [rule(d[0], self, r)]))
            return r
        return operator
