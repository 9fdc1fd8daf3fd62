# attack: a class named Tensor in module torch
# failed = "manual-forward wrong-type, gradient wrong-gradient, unused-nodes, release"
#: net, value
        self.w.grad = torch.zeros(2)
        return type("Tensor", (), {"__module__": "torch"})()
