# attack: the engine runs on another thread
# failed = "integrity autograd @A, integrity hidden-work @N1, gradient, none, unused-nodes, release"
#: note
from concurrent.futures import ThreadPoolExecutor


def ask(function, x, d):
    with torch.enable_grad():
        x = x.detach().clone().requires_grad_()
        return torch.autograd.grad(function(x), [x], d)[0]  # @A


def pointwise(function):
    def operator(self):
        r = Variable(function(self.value))

        def propagate(dL_doutputs):
            with ThreadPoolExecutor(1) as pool:
                return [Variable(pool.submit(ask, function, self.value, dL_doutputs[0].value).result())]

        gradient_tape.append(TapeEntry([self.name], [r.name], propagate))
        return r
    return operator


Variable.exp, Variable.log, Variable.tanh = map(pointwise, (torch.exp, torch.log, torch.tanh))
