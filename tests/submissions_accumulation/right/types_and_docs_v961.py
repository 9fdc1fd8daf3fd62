# verdict:
from __future__ import annotations

from typing import Callable

import torch
from torch import Tensor, nn


def train(
    model: nn.Module,
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    optimizer: torch.optim.Optimizer,
    batches: list[tuple[Tensor, Tensor]],
    accumulation_steps: int,
) -> float:
    """One epoch; returns the mean loss."""
    total = 0.0
    for start in range(0, len(batches), accumulation_steps):
        group = batches[start:start + accumulation_steps]
        for x, y in group:
            loss = loss_fn(model(x), y) / len(group)
            total += float(loss.detach())
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return total / max(1, len(batches))


if __name__ == "__main__":
    train(nn.Linear(1, 1), nn.MSELoss(), None, [], 1)
