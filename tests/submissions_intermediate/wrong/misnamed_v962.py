# verdict:
# status = "unreadable: no-function"
# why = "another name"
#: imports
def gradient(a, x):
#: forward, loss, retain, dict
