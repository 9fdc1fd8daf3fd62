# attack: the gradient's binary digits as which of two tensors is added
# why = "an honest twin: submissions/right/branches_on_items_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                acc = acc * 2 + (zero, one)[bit]
#: signed
