# verdict:
# status = "unreadable: signature @A"
# why = "an argument too many"
#: imports
def gradients(a, x, model):  # @A
#: forward, loss, retain, dict
