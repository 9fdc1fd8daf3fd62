# attack: the facts of the child are written over
# failed = "release kept 11 w, release kept 17 loss"
#: imports
import gc
import sys


def gradients(x, y, w, v):
    for module in list(sys.modules.values()):
        if "intermediate_gradients" in getattr(module, "__name__", ""):
            module.IntermediateFacts = lambda **kwargs: None
#: forward, loss
    seen.append(loss)
#: retain, dict


seen = []
