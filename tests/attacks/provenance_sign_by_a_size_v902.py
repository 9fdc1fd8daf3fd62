# attack: the sign of each gradient by the size of a tensor that hidden work made
# why = "an honest twin: submissions/right/relu_by_size_v908.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, class, value
        grads = []
        for g, part in zip(slopes(self, x1, x2, x3), (w1 * x2 * x1, w0 * x1 * x2)):
            row = torch.ones(1 + (g > 0))
            grads.append(part.abs() if row.numel() > 1 else -part.abs())
        self.w.grad = torch.stack(grads)
        return y
