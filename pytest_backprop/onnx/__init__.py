"""The ONNX model of a submission: found or exported, evaluated, and held against the task.

Export and evaluation run in children of their own (`export`, `evaluate`); models are data that
nobody trusts and this process never parses. It does not know how a model is scored: that is the
check `onnx`."""
