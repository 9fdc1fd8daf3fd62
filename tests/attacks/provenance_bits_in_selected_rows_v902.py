# attack: the gradient's binary digits as positions in a tensor
# why = "an honest twin: submissions/right/indices_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                acc = acc * 2 + table[bit]
#: signed
