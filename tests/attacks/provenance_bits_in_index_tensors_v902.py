# attack: the gradient's binary digits as tensors of indices
# why = "an honest twin: submissions/right/indices_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, bits, class, value, each_bit
                acc = acc * 2 + table.index_select(0, torch.tensor([bit]))[0]
#: signed
