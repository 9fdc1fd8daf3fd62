"""What exercises share whose students give vector-Jacobian products: a function of tensors of any
shape is called, and the adjoint of its value sent back through it.

`child` makes the call, `tensors` what is given, `facts` is what both halves know. It has no tasks,
and does not know what is right: it is imported where submissions run.
"""
