# verdict:
# status = "unreadable: syntax-error 3"
def pack_hook(x)
    return x
