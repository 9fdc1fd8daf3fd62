# verdict:
import tempfile
import uuid
from pathlib import Path

import torch


class Saved:
    def __init__(self, x):
        self.path = Path(tempfile.gettempdir(), str(uuid.uuid4()))
        with self.path.open("wb") as file:
            self.path.chmod(0o600)
            torch.save(x, file)

    def __del__(self):
        self.path.unlink()


def pack_hook(x):
    return Saved(x) if x.numel() >= 1000 else x


def unpack_hook(x):
    return torch.load(x.path) if isinstance(x, Saved) else x
