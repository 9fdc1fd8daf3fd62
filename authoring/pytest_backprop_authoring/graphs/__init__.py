"""Pictures of a variant's forward graph: as an ONNX model, and as text for Graphviz. No torch."""

from __future__ import annotations

from .dot import dot_of
from .model import model_of

__all__ = ["dot_of", "model_of"]
