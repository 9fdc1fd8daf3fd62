# verdict:
# status = "unreadable: load-error 3"
STORE = {}["of another cell"]


def pack_hook(x):
    return STORE.save(x)


def unpack_hook(x):
    return STORE.load(x)
