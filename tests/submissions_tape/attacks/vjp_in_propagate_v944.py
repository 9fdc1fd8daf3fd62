# attack: a transform of torch's for every function
# failed = "integrity transform @A, integrity autograd @B, gradient, none, unused-nodes, release"
#: note
def pointwise(function):
    def operator(self):
        r = Variable(function(self.value))

        def propagate(dL_doutputs):
            _, back = torch.func.vjp(function, self.value)  # @A
            return [Variable(back(dL_doutputs[0].value)[0])]  # @B

        gradient_tape.append(TapeEntry([self.name], [r.name], propagate))
        return r
    return operator


Variable.exp, Variable.log, Variable.tanh = map(pointwise, (torch.exp, torch.log, torch.tanh))
