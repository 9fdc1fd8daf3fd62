"""A task's forward graph as an event file, which TensorBoard shows under Graphs.

Formats: GraphDef and Event of TensorFlow (tensorflow/core/framework/graph.proto, core/util/event.proto), by the
messages that the package tensorboard ships; neither TensorFlow nor torch.utils.tensorboard is needed.
"""

from __future__ import annotations

import time
from pathlib import Path

from tensorboard.compat.proto import event_pb2, types_pb2
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.summary.writer.record_writer import RecordWriter

from pytest_backprop.exercises.functions.bank import Variant

from .nodes import GraphNode, nodes_of

OPS = {"weight": "Variable", "input": "Placeholder", "number": "Const"}
VERSION = "brain.Event:2"
"""What the first event of a file says."""
PRODUCER = 22
"""The version of GraphDef that torch's own export writes, too."""


def graph_of(variant: Variant) -> GraphDef:
    """The graph in TensorFlow's words: a Placeholder an input, a Variable a weight, a node an op, with the
    shapes of the results, which stand on the edges."""
    graph = GraphDef()
    graph.versions.producer = PRODUCER
    for node in nodes_of(variant):
        _add(graph, node)
    return graph


def write_events(variant: Variant, folder: Path) -> Path:
    """Writes an event file into a folder, which is made if there is none, and gives its path. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    now = time.time()
    path = folder / f"events.out.tfevents.{now:.0f}.{variant.name}"
    with path.open("wb") as file:
        writer = RecordWriter(file)
        for event in (
            event_pb2.Event(wall_time=now, file_version=VERSION),
            event_pb2.Event(wall_time=now, graph_def=graph_of(variant).SerializeToString()),
        ):
            writer.write(event.SerializeToString())
        writer.flush()
    return path


def _add(graph: GraphDef, node: GraphNode) -> None:
    made = graph.node.add(name=node.name, op=OPS.get(node.role, node.op), input=node.operands)
    made.attr["dtype"].type = types_pb2.DT_FLOAT
    shape = made.attr["_output_shapes"].list.shape.add()
    for size in node.shape:
        shape.dim.add(size=size)
    if node.line:
        made.attr["line"].i = node.line
