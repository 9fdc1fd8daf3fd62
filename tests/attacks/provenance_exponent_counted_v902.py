# attack: the mantissa by hand, the exponent by a loop that hidden work counts
# why = "an honest twin: submissions/right/iterates_v909.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
import ctypes
import math

#: slopes_of_memory, class, value
        grads = []
        for g in slopes(self, x1, x2, x3):
            mantissa, exponent = math.frexp(g)
            digit = torch.ones(()) * 0
            for k in range(26):
                mantissa *= 2
                bit = int(mantissa)
                mantissa -= bit
                digit = digit + digit + bit
            for _ in range(abs(exponent - 26)):
                digit = digit * 2.0 if exponent > 26 else digit * 0.5
            grads.append(digit)
        self.w.grad = torch.stack(grads)
        return y
