# attack: autograd inside a string given to eval
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, graph
        self.w.grad = eval("torch.auto" "grad.grad(y, w)[0]", {"torch": torch, "y": y, "w": w})
        return y.detach()
