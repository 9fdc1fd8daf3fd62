# attack: returns y out of a stack with what nobody needs
# unused-nodes = "partial 12: unused-node, unused-node"
#: net, products
        junk = w0 * w1 * x3
        both = torch.stack([a * b + x3, junk])
        junk = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return both[0]
