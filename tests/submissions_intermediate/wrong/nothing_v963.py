# verdict:
# failed = "gradient wrong-type @A prediction, gradient wrong-type @A residual, release"
# why = "it prints, and returns nothing"
#: imports
def gradients(x, y, w, b):  # @A
#: forward, loss, retain
    print(prediction.grad, residual.grad)
