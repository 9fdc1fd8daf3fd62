# attack: the gradient's binary digits as what tensors are filled with
# why = "an honest twin: submissions/right/zeros_and_ones_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, bits, class, value, each_bit
                acc = acc * 2 + torch.full((), float(bit))
#: signed
