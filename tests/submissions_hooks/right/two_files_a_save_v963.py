# verdict:
import json
import os
import tempfile

import numpy as np
import torch


class Saved:
    def __init__(self, x):
        x = x.detach().contiguous()
        handle, self.data = tempfile.mkstemp(suffix=".bin")
        with os.fdopen(handle, "wb") as file:
            file.write(x.numpy().tobytes())
        handle, self.about = tempfile.mkstemp(suffix=".json")
        with os.fdopen(handle, "w") as file:
            json.dump({"shape": list(x.shape), "dtype": x.numpy().dtype.name}, file)

    def load(self):
        with open(self.about) as file:
            about = json.load(file)
        return torch.from_numpy(np.fromfile(self.data, about["dtype"]).reshape(about["shape"]))

    def __del__(self):
        os.remove(self.data)
        os.remove(self.about)


def pack_hook(x):
    return Saved(x) if x.numel() >= 600 else x


def unpack_hook(x):
    return x.load() if isinstance(x, Saved) else x
