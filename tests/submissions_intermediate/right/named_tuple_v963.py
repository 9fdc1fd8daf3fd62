# verdict:
# why = "a named tuple"
#: imports
from collections import namedtuple

Found = namedtuple("Found", ["prediction", "residual"])


#: def, forward, loss, retain
    return Found(prediction.grad, residual.grad)
