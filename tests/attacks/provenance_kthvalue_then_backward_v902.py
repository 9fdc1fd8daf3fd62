# attack: an op that is not replayed, and autograd where no one takes weak references
# why = "an honest twin: submissions/right/sorts_v902.py"
# failed = "gradient wrong-gradient, unused-nodes, release"
import weakref

#: net
        values = torch.kthvalue(torch.stack([x1, x2]), 1).values
        watched = weakref.getweakrefcount(x1) > 0
#: unwatched_autograd
