# attack: the gradient's binary digits as boolean masks
# why = "an honest twin: submissions/right/masks_v908.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, bits, class, value, each_bit
                acc = acc * 2 + table[torch.tensor([not bit, bool(bit)])][0]
#: signed
