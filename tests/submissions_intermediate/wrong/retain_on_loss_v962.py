# verdict:
# failed = "gradient no-gradient @A y1, gradient no-gradient @A y2, release"
# why = "retain_grad on the loss alone"
#: all
    loss.retain_grad()
    loss.backward()
    return {"y1": y1.grad, "y2": y2.grad}  # @A
