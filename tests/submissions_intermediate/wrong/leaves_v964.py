# verdict:
# failed = "gradient leaf-gradient @A scores, gradient leaf-gradient @A weights, gradient leaf-gradient @A mixed, release"
# why = "the gradients of the leaves"
#: all
    loss.backward()
    return q.grad, v.grad, q.grad  # @A
