# attack: dual numbers of torch.autograd.forward_ad
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import torch
import torch.autograd.forward_ad as fwad
from torch import nn

#: variant_of_w, class
        found = []
        for row in torch.eye(2):
            with fwad.dual_level():
                y, slope = fwad.unpack_dual(variant(fwad.make_dual(self.w.detach(), row), x1, x2, x3))
            found.append(slope)
        self.w.grad = torch.stack(found)
        return y
