# attack: the gradient's binary digits as conditions of where
# why = "an honest twin: submissions/right/masks_v908.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                acc = acc * 2 + torch.where(torch.tensor(bool(bit)), one, zero)
#: signed
