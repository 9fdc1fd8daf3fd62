# verdict:
# why = "types in the signature"
#: imports
from torch import Tensor


def gradients(x: Tensor, y: Tensor, w: Tensor, v: Tensor) -> dict[str, Tensor]:
#: forward, loss, retain, dict
