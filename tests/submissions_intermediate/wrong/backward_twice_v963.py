# verdict:
# failed = "gradient wrong-gradient @A prediction, gradient wrong-gradient @A residual"
# why = "the graph is kept, and backward called twice"
#: all
    prediction.retain_grad()
    residual.retain_grad()
    loss.backward(retain_graph=True)
    loss.backward()
    return prediction.grad, residual.grad  # @A
