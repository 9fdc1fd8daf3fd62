# attack: numbers that stand in an empty tensor, and no op wrote
# why = "an honest twin: submissions/right/gradient_into_empty_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, class, value
        g0, g1 = slopes(self, x1, x2, x3)
        grad = torch.empty(2)
        ctypes.memmove(grad.untyped_storage().data_ptr(), (ctypes.c_float * 2)(g0, g1), 8)
        self.w.grad = grad + 0 * torch.sort(torch.stack([x1, x2])).values
        return y
