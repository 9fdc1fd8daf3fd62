# attack: the gradient's binary digits as bounds that are infinite or not
# why = "an honest twin: submissions/right/clamps_v908.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                acc = acc * 2 + one.clamp(max=float("inf") if bit else 0.0)
#: signed
