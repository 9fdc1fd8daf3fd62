# attack: the gradient's binary digits as dtypes that cut a half off, or do not
# why = "an honest twin: submissions/right/double_then_single_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                acc = acc * 2 + 2 * (one / 2).to(torch.float32 if bit else torch.int64)
#: signed
