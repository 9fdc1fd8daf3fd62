# verdict:
# why = "all in one tuple"
#: imports
def gradients(*tensors):
    x, y, w, b = tensors
#: forward, loss, retain, dict
