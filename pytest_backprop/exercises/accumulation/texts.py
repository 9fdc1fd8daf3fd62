"""What is said of each kind of finding, and what to do. In a message `{where}` is the run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...messages import phrase
from . import RUN_IT

STEPS = (
    phrase("the optimizer steps {count} times, not {right} times ({where})"),
    phrase(
        "step once a group, `if (i + 1) % accumulation_steps == 0`; where the task trains on a "
        "last group that is not full, `or i + 1 == len(batches)`, too"
    ),
)
TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "raises": (phrase("{where} train raises {error}"), RUN_IT),
        "no-backward": (
            phrase("no loss has a backward"),
            phrase("call backward on the loss of each batch"),
        ),
        "parameters-set": (
            phrase("the parameters are others than those that `optimizer.step()` gives ({where})"),
            phrase("leave the parameters, the optimizer and its state to `optimizer.step()`"),
        ),
        "too-few-steps": STEPS,
        "too-many-steps": STEPS,
        "wrong-gradient": (
            phrase(
                "the gradient of step {number} is not that of the joined batches {group} ({where})"
            ),
            phrase(
                "leave `.grad` to backward, and call it on `loss_fn(model(x), y)` of each "
                "batch, divided as the task asks"
            ),
        ),
        "last-loss-only": (
            phrase(
                "the group has the batches {group}, and backward runs on the loss of batch "
                "{batch} alone ({where})"
            ),
            phrase("call backward on the loss of every batch, outside of the if"),
        ),
        "other-input": (
            phrase("the model is called on something else than the x of a batch ({where})"),
            phrase("call it on x as it is"),
        ),
        "other-batches": (
            phrase("step {number} has the gradients of the batches {had}, not {group} ({where})"),
            phrase("step once a group: if (i + 1) % accumulation_steps == 0"),
        ),
        "cleared-early": (
            phrase(
                "the gradient of batch {before} is cleared before step {number} uses it ({where})"
            ),
            phrase("call `zero_grad()` once a group, after `optimizer.step()`"),
        ),
        "not-cleared": (
            phrase(
                "step {number} uses the gradients of step {before}, too: they were not cleared "
                "between the groups ({where})"
            ),
            phrase("call `optimizer.zero_grad()` after `optimizer.step()`"),
        ),
        "wrong-scale": (
            phrase(
                "the loss of batch {batch} has the factor {share} in its group of {count} batches, "
                "not {right} ({where})"
            ),
            phrase(
                "give each loss, before its backward, its share of the joined one: a mean is "
                "divided by the batches of its group, or multiplied by its rows, `len(x)`, over "
                "all rows of the group where these differ; a sum is left as it is"
            ),
        ),
        "graph-kept": (
            phrase(
                "the graph of batch {before} still has its saved tensors when the model is called "
                "on batch {batch}: memory grows ({where})"
            ),
            phrase(
                "call backward on the loss of each batch before the model is called on the next "
                "one, without retain_graph and create_graph"
            ),
        ),
        "history-kept": (
            phrase(
                "when the model is called on batch {batch}, the graph of batch {before} is "
                "still held: something keeps its loss or prediction ({where})"
            ),
            phrase("sum and keep numbers, as in `total += loss.item()`, or `loss.detach()`"),
        ),
        "own-model": (
            phrase(
                "step {number} has a gradient that the backwards of its batches do not give "
                "({where})"
            ),
            phrase("call the given model on x, and backward on its loss"),
        ),
        "joined-batches": (
            phrase(
                "one backward has the rows of the batches {batches}: they are joined, not "
                "accumulated ({where})"
            ),
            phrase("call the model, the loss and backward for each batch by itself"),
        ),
        "own-loss": (
            phrase("no gradient comes from loss_fn ({where})"),
            phrase("the loss is `loss_fn(model(x), y)`"),
        ),
    }
)
