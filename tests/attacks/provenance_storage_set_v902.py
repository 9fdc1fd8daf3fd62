# attack: a storage full of numbers set under .grad
# why = "an honest twin: submissions/right/buffers_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import ctypes
import struct

#: slopes_of_memory, class, value
        g0, g1 = slopes(self, x1, x2, x3)
        grad = torch.zeros(2) + 0 * torch.unique(torch.stack([x1, x2])).sum()
        made = torch.frombuffer(bytearray(struct.pack("ff", g0, g1)), dtype=torch.float32)
        grad.set_(made.untyped_storage(), 0, (2,), (1,))
        self.w.grad = grad
        return y
