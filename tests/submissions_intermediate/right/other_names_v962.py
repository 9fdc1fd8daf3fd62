# verdict:
# why = "other names: the tensors come by position"
#: imports
def gradients(shift, point):
    x, a = point, shift
#: forward, loss, retain, dict
