"""Tasks that are functions of numbers, of which an exercise asks for values and gradients.

`bank` reads the functions, `typed_task` those of tensors; `scenarios` says at which points they are
tried, `reference` gives their values and gradients by autograd there. It does not know what a
submission looks like."""
