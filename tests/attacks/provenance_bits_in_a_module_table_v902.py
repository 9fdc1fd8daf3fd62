# attack: the gradient's binary digits as positions in a table that the module keeps
# why = "an honest twin: submissions/right/indices_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, bits

TABLE = torch.tensor([0.0, 1.0])
#: class, value, each_bit
                acc = acc * 2 + TABLE[bit]
#: signed
