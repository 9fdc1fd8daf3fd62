"""What is said of each kind of finding, and what to do. In a message `{where}` is the run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...messages import phrase
from . import RUN_IT

SHARE = phrase(
    "the loss of batch {batch} has the factor {share} in its group, not {right} ({where})"
)
TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "raises": (phrase("{where} train raises {error}"), RUN_IT),
        "no-backward": (
            phrase("no loss has a backward"),
            phrase("call backward on the loss of each batch"),
        ),
        "parameters-set": (
            phrase(
                "the parameters are changed by something else than `optimizer.step()` ({where})"
            ),
            phrase("leave the parameters to the optimizer"),
        ),
        "last-group-stepped": (
            phrase(
                "the last group has {count} of {steps} batches, and the optimizer steps on it; "
                "the task drops it ({where})"
            ),
            phrase("step only where a group of `accumulation_steps` batches is complete"),
        ),
        "last-group-dropped": (
            phrase(
                "the last group has {count} of {steps} batches, and the optimizer does not step "
                "on it ({where})"
            ),
            phrase(
                "step at the last batch, too: if (i + 1) % accumulation_steps == 0 or "
                "i + 1 == len(batches)"
            ),
        ),
        "steps": (
            phrase("the optimizer steps {count} times, not {right} times ({where})"),
            phrase("step once a group"),
        ),
        "wrong-parameters": (
            phrase(
                "step {number} has the right gradient, and other parameters than training on the "
                "joined batches ({where})"
            ),
            phrase("leave the parameters, the optimizer and its state as they are"),
        ),
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
                "the gradient is cleared before the backward of batch {batch}: that of batch "
                "{before}, of the same group, is lost ({where})"
            ),
            phrase(
                "call `zero_grad()` once a group: after `optimizer.step()`, or before the "
                "first batch of the next group"
            ),
        ),
        "cleared-before-step": (
            phrase(
                "the gradient is cleared before step {number}: what the backwards of its group "
                "gave is lost ({where})"
            ),
            phrase("call `zero_grad()` after `optimizer.step()`"),
        ),
        "not-cleared": (
            phrase(
                "step {number} uses the gradients of step {before}, too: they were not cleared "
                "between the groups ({where})"
            ),
            phrase("call `optimizer.zero_grad()` after `optimizer.step()`"),
        ),
        "last-group-scaled": (
            phrase(
                "the last group has {count} of {steps} batches, and their losses are still "
                "divided by {steps}: each has the factor {share}, not {right} ({where})"
            ),
            phrase("divide by the number of batches that the group has"),
        ),
        "sum-scaled": (
            SHARE,
            phrase("the loss is a sum over the rows: leave it as it is"),
        ),
        "rows-scaled": (
            SHARE,
            phrase("multiply each loss by `len(x)` and divide by the rows of the whole group"),
        ),
        "batches-scaled": (
            SHARE,
            phrase("divide each loss by the number of batches in its group before its backward"),
        ),
        "graph-retained": (
            phrase(
                "the graph of batch {before} still has its saved tensors when the model is "
                "called on batch {batch}, though its backward is over ({where})"
            ),
            phrase("call `backward()` without retain_graph and create_graph"),
        ),
        "graph-kept": (
            phrase(
                "the graph of batch {before} is alive when the model is called on batch "
                "{batch}: its backward has not run, and memory grows with each batch of "
                "the group ({where})"
            ),
            phrase(
                "call backward on the loss of each batch before the model is called on the next one"
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
