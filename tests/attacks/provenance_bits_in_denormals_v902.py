# attack: the gradient's binary digits as whether torch flushes denormal numbers
# why = "an honest twin: submissions/right/zeros_and_ones_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                torch.set_flush_denormal(not bit)
                acc = acc * 2 + (one * 1e-20 * 1e-20 > 0)
#: signed
