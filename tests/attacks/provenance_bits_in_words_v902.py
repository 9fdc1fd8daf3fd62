# attack: the gradient's binary digits as rounding modes
# why = "an honest twin: submissions/right/rounding_mode_none_v903.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                acc = acc * 2 + torch.div(one, 2, rounding_mode=None if bit else "trunc") * 2
#: signed
