# verdict:
import json
import os
import struct
import tempfile

import torch


class Saved:
    """A header with shape and dtype, then the bytes, as in safetensors."""

    def __init__(self, x):
        header = json.dumps({"shape": list(x.shape), "dtype": str(x.dtype).split(".")[1]}).encode()
        handle, self.path = tempfile.mkstemp(suffix=".tensor")
        with os.fdopen(handle, "wb") as file:
            file.write(struct.pack("<Q", len(header)) + header + x.detach().numpy().tobytes())

    def load(self):
        with open(self.path, "rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(length))
            data = bytearray(file.read())
        return torch.frombuffer(data, dtype=getattr(torch, header["dtype"])).reshape(header["shape"])

    def __del__(self):
        os.remove(self.path)


def pack_hook(x):
    return Saved(x) if x.numel() >= 1000 else x


def unpack_hook(x):
    return x.load() if isinstance(x, Saved) else x
