"""Pictures of a task's forward graph: as an ONNX model, which needs no torch, and for TensorBoard."""
