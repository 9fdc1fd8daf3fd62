# attack: the gradient's binary digits as factors that are NaN or not
# why = "an honest twin: submissions/right/masks_v908.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                acc = acc * 2 + (one * (float("nan") if bit else 1.0)).isnan()
#: signed
