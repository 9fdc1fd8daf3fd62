# verdict:
# why = "weights by keyword"
#: imports
def gradients(x, y, *, w, v):
#: forward, loss, retain, dict
