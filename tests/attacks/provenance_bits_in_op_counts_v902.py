# attack: the gradient's binary digits as ops that are there or not
# why = "an honest twin: submissions/right/iterates_v909.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, bits, class, value, each_bit
                acc = acc + acc
                if bit:
                    acc = acc + one
#: signed
