# attack: the gradient's binary digits as exponents 0 and 1
# why = "an honest twin: submissions/right/powers_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                acc = acc * 2 + (one + one) ** bit - one
#: signed
