# attack: a socket
# failed = "gradient raises 21, threshold, release, files"
#: file


def attempt(name):
    import socket
    socket.socket(socket.AF_UNIX).bind(name + '.socket')


def pack_hook(x):
    if x.numel() < 1200:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
