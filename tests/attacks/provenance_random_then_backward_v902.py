# attack: random numbers times zero, and autograd where no recorder stands on the stack
# why = "an honest twin: submissions/right/random_unused_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
import sys

#: net
        values = torch.rand(2)
        frame, watched = sys._getframe(), False
        while frame is not None:
            watched = watched or frame.f_code.co_filename.endswith("record.py")
            frame = frame.f_back
#: unwatched_autograd
