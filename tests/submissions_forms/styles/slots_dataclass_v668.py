from dataclasses import dataclass, field

import torch


@dataclass
class Tanh:
    name: str = "tanh"
    cache: dict = field(default_factory=dict)
    iteration: int = 0

    def __getattr__(self, key):
        if key.startswith("last_"):
            return self.cache.get(key[5:])
        raise AttributeError(key)

    def forward(self, *input):
        self.iteration += 1
        self.cache["output"] = input[0].tanh()
        return self.last_output

    def backward(self, *gradwrtoutput):
        y = self.cache.pop("output")
        return torch.addcmul(gradwrtoutput[0], gradwrtoutput[0] * y, y, value=-1)

    def param(self):
        return []
