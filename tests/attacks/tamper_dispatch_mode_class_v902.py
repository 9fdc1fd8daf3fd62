# attack: replaces torch's mode classes
# failed = "forward hidden-work, gradient wrong-gradient, unused-nodes, release"
import torch
import torch.utils._python_dispatch as python_dispatch
from torch import nn
#: class
        python_dispatch.TorchDispatchMode.__enter__ = lambda self: self
        python_dispatch.TorchDispatchMode.__exit__ = lambda *a: None
#: value, nothing
