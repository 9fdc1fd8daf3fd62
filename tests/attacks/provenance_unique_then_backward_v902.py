# attack: an op that is not replayed, and autograd while the collector is on
# why = "an honest twin: submissions/right/sorts_v902.py"
# failed = "gradient wrong-gradient, unused-nodes, release"
import gc

#: net
        values = torch.unique(torch.stack([x1, x2]))
        watched = not gc.isenabled()
#: unwatched_autograd
