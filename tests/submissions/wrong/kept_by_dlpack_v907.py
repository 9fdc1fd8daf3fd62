# verdict:
# why = "a DLPack capsule holds the storage, and no tensor does"
# release = "partial 18: late-release @L t5"
import torch
from torch import nn
import torch.utils.dlpack
#: weights
        self.kept = None
#: forward, pass
        self.kept = None
#: r1, r2
        t4 = r1 * r2
        t5 = x3 / r1
        self.kept = torch.utils.dlpack.to_dlpack(t5)
        y = t4 + t5
        t4 = None

        g1 = r2 - t5 / r1  # @L
        r2 = t5 = None
#: slopes, end
