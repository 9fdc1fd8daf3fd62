# verdict:
# why = "honest beside attacks by axes and solvers: the chain rule as products of matrices"
#: net, products, y
        outer = torch.stack([b, a]).reshape(1, 2)
        del a, b
        inner = torch.diag(torch.stack([x1, x2]))
        self.w.grad = torch.matmul(outer, inner).reshape(2)
        return y
