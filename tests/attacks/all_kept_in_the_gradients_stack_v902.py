# attack: puts what it keeps beside the gradients, and a view of both into .grad
# unused-nodes = "partial 10.5: unused-node, unused-node, unused-node"
# release = "partial 12: late-release, late-release, late-release, late-release"
#: net, products
        p = a * b
        junk = w0 * w1 * x3 * x1
        y = p + x3
        dw0 = b * x1
        dw1 = a * x2
        everything = torch.stack([dw0, dw1, a, b, p, junk])
        self.w.grad = everything[:2]
        return y
