# attack: the gradient's binary digits as offsets into a storage
# why = "an honest twin: submissions/right/indices_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits, class, value, each_bit
                acc = acc * 2 + table.as_strided((), (), bit)
#: signed
