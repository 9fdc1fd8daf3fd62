# verdict:
# failed = "threshold in-memory 3, release, files"
def pack_hook(x):
    return x.detach().clone()


def unpack_hook(x):
    return x
