"""What findings of this exercise say: by their kinds, what is wrong and what to do. What stands
behind a comma in a key tells cases of one kind apart. `where` is the run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...messages import phrase

RUN_IT = phrase(
    "call train with a small model and a list of a few batches, and read the traceback from the "
    "bottom"
)
_LEAVE_PARAMETERS = phrase("leave the parameters to the optimizer")
LEAVE_GRADER = phrase("leave the grader's own code alone")
_CALL_MODEL = phrase("call the given model on x, and backward on its loss")
_BACKWARD_FIRST = phrase(
    "call backward on the loss of each batch before the model is called on the next one"
)
_EACH_ONCE = phrase("step once a group")
WRONG_FACTOR = phrase(
    "the loss of batch {batch} has the factor {share} in its group, not {right} ({where})"
)
NO_FACTOR = phrase("the loss is a sum over the rows: leave it as it is")
BY_ROWS = phrase("multiply each loss by `len(x)` and divide by the rows of the whole group")
BY_BATCHES = phrase("divide each loss by the number of batches in its group before its backward")

TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        # parameters
        "raises": (phrase("{where} train raises {error}"), RUN_IT),
        "no-backward": (
            phrase("no loss has a backward"),
            phrase("call backward on the loss of each batch"),
        ),
        "last-loss-only": (
            phrase(
                "the group has the batches {group}, and backward runs on the loss of batch "
                "{batch} alone ({where})"
            ),
            phrase("call backward on the loss of every batch, outside of the if"),
        ),
        "step-each-batch": (
            phrase(
                "the optimizer steps after batch {batch}, before the rest of its group ({where})"
            ),
            phrase("step once a group: if (i + 1) % accumulation_steps == 0"),
        ),
        "other-input": (
            phrase("the model is called on something else than the x of a batch ({where})"),
            phrase("call it on x as it is"),
        ),
        "empty-step": (
            phrase("step {number} comes before any backward ({where})"),
            phrase("step once the gradients of the whole group are there"),
        ),
        "other-batches": (
            phrase("step {number} has the gradients of the batches {had}, not {group} ({where})"),
            phrase("count the batches from the first: a group is accumulation_steps of them"),
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
        "wrong-parameters": (
            phrase(
                "step {number} has the right gradient, and other parameters than training on the "
                "joined batches ({where})"
            ),
            phrase("leave the parameters, the optimizer and its state as they are"),
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
        "too-many-steps": (
            phrase("the optimizer steps {count} times, not {right} times ({where})"),
            _EACH_ONCE,
        ),
        "too-few-steps": (
            phrase("the optimizer steps {count} times, not {right} times ({where})"),
            _EACH_ONCE,
        ),
        # zeroing
        "cleared-early, before the step": (
            phrase(
                "the gradient is cleared before step {number}: what the backwards of its group "
                "gave is lost ({where})"
            ),
            phrase("call `zero_grad()` after `optimizer.step()`"),
        ),
        "cleared-early": (
            phrase(
                "the gradient is cleared before the backward of batch {batch}: that of batch "
                "{before}, of the same group, is lost ({where})"
            ),
            phrase(
                "call `zero_grad()` once a group: after `optimizer.step()`, or before the first "
                "batch of the next group"
            ),
        ),
        "not-cleared": (
            phrase(
                "step {number} uses the gradients of step {before}, too: they were not cleared "
                "between the groups ({where})"
            ),
            phrase("call `optimizer.zero_grad()` after `optimizer.step()`"),
        ),
        # scaling
        "not-scaled": (WRONG_FACTOR, BY_BATCHES),
        "wrong-scale": (WRONG_FACTOR, BY_BATCHES),
        "wrong-weight": (
            phrase(
                "the loss of batch {batch}, which has {rows} of the {all} rows of its group, has "
                "the factor {share} in it, not {right} ({where})"
            ),
            BY_BATCHES,
        ),
        "last-group-scaled": (
            phrase(
                "the last group has {count} of {steps} batches, and their losses are still "
                "divided by {steps}: each has the factor {share}, not {right} ({where})"
            ),
            phrase("divide by the number of batches that the group has"),
        ),
        # release
        "graph-retained": (
            phrase(
                "the graph of batch {before} still has its saved tensors when the model is called "
                "on batch {batch}, though its backward is over ({where})"
            ),
            phrase("call `backward()` without retain_graph and create_graph"),
        ),
        "graph-kept": (
            phrase(
                "the graph of batch {before} is alive when the model is called on batch {batch}: "
                "its backward comes later, and memory grows with each batch of the group ({where})"
            ),
            _BACKWARD_FIRST,
        ),
        "graph-kept, no backward": (
            phrase(
                "the graph of batch {before} is alive when the model is called on batch {batch}: "
                "its loss has no backward ({where})"
            ),
            _BACKWARD_FIRST,
        ),
        "history-kept": (
            phrase(
                "when the model is called on batch {batch}, the graph of batch {before} is still "
                "held: something keeps its loss or prediction ({where})"
            ),
            phrase("sum and keep numbers, as in `total += loss.item()`, or `loss.detach()`"),
        ),
        "memory-grows": (
            phrase(
                "each batch of a group adds {count} numbers to what is kept, as many as the "
                "parameters have or more ({where})"
            ),
            phrase("add each batch's gradients to those before, instead of keeping them all"),
        ),
        # integrity
        "tampering, too much": (
            phrase("more happens in a run than the grader takes ({where})"),
            phrase("call the model once a batch"),
        ),
        "tampering, forged": (
            phrase("it calls what the grader is told by ({where})"),
            LEAVE_GRADER,
        ),
        "other-gradient": (
            phrase(
                "step {number} has a gradient that the backwards of its batches do not give "
                "({where})"
            ),
            phrase("leave `.grad` to the backward of each batch's loss"),
        ),
        "joined-batches": (
            phrase(
                "one backward has the rows of the batches {batches}: they are joined, not "
                "accumulated ({where})"
            ),
            phrase("call the model, the loss and backward for each batch by itself"),
        ),
        "parameters-set": (
            phrase(
                "the parameters are changed by something else than `optimizer.step()` ({where})"
            ),
            _LEAVE_PARAMETERS,
        ),
        "replaced-parameter": (
            phrase("{name} is another parameter than the one that the optimizer has ({where})"),
            phrase("leave the model's parameters where they are"),
        ),
        "batch-changed": (
            phrase("{kind} of batch {number} is changed in place ({where})"),
            phrase("work on a copy"),
        ),
        "own-model, bypass": (
            phrase("a backward runs that does not go through a call of the model ({where})"),
            _CALL_MODEL,
        ),
        "own-model": (
            phrase("the optimizer steps, and no gradient comes from a call of the model ({where})"),
            _CALL_MODEL,
        ),
        "own-loss": (
            phrase("no gradient comes from loss_fn ({where})"),
            phrase("the loss is `loss_fn(model(x), y)`"),
        ),
    }
)
