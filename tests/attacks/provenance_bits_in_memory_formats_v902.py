# attack: the gradient's binary digits as orders of elements in memory
# why = "an honest twin: submissions/right/jacobian_matrices_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value
        one = x1 / x1
        zero = x1 - x1
        table = torch.stack([zero, one])
        block = torch.stack([zero, zero, one, one]).reshape(1, 2, 1, 2)
        grads = []
        for g in slopes(self, x1, x2, x3):
            acc = zero
            for bit in bits(g):
                form = torch.channels_last if bit else torch.contiguous_format
                acc = acc * 2 + block.clone(memory_format=form).as_strided((), (), 1)
#: signed
