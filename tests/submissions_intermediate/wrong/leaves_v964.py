# verdict:
# failed = "gradient wrong-shape @A scores, gradient wrong-shape @A weights, gradient wrong-shape @A mixed, release"
# why = "the gradients of the leaves"
#: all
    loss.backward()
    return q.grad, v.grad, q.grad  # @A
