# attack: the gradient's binary digits as which part of a split is read
# why = "an honest twin: submissions/right/unpacks_parts_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, bits, class, value, each_bit
                acc = acc * 2 + table.split(1)[bit][0]
#: signed
