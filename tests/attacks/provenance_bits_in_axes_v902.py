# attack: the gradient's binary digits as axes to sum over
# why = "an honest twin: submissions/right/jacobian_matrices_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value
        one = x1 / x1
        zero = x1 - x1
        table = torch.stack([zero, one])
        square = torch.stack([torch.stack([zero, one]), table - table])
        grads = []
        for g in slopes(self, x1, x2, x3):
            acc = zero
            for bit in bits(g):
                acc = acc * 2 + square.sum(bit)[0]
#: signed
