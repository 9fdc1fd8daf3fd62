# verdict:
# failed = "threshold in-memory 3, release, files"
def pack_hook(x):
    return x


def unpack_hook(x):
    return x
