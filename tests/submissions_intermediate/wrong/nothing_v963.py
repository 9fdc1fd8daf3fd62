# verdict:
# failed = "gradient raises 8, release"
# why = "it prints, and returns nothing"
#: imports
def gradients(x, y, w, b):
#: forward, loss, retain
    print(prediction.grad, residual.grad)
