# attack: the gradient's binary digits as signs of zero constants
# why = "an honest twin: submissions/right/zeros_and_ones_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, bits, class, value, each_bit
                acc = acc * 2 + (one + torch.copysign(one, torch.tensor(0.0 if bit else -0.0))) / 2
#: signed
