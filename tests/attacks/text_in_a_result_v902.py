# attack: hostile text as the result and its class's name
# failed = "manual-forward wrong-type, gradient wrong-gradient, unused-nodes, release"
#: net, value
        self.w.grad = torch.zeros(2)
        return type('\x1b[31mok\n\u202e', (), {})()
