# attack: a copy of the code of forward calculates y in the pass
# failed = "integrity foreign-code, gradient, unused-nodes, release"
import types

#: model
        global copied
        copied = types.FunctionType(Net.forward.__code__.replace(co_name='helper'), globals())
#: forward, pass
        y = copied(self, x1, x2, x3).detach()
        w0, w1 = self.w
        self.w.grad = torch.stack([w1 * x2 * x1, w0 * x1 * x2])
        return y
