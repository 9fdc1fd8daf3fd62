# verdict:
# why = "another name of the function"
#: imports
def intermediate_gradients(x, y, w, b):
#: forward, loss, retain, dict
