# attack: backward through a deep copy of the module
# failed = "integrity autograd, manual-forward, gradient, unused-nodes, release"
import copy

#: net
        with torch.enable_grad():
            twin = copy.deepcopy(self)
            y = twin.forward(x1, x2, x3)
            y.backward()
        self.w.grad = twin.w.grad
        return y.detach()
