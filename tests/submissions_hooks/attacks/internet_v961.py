# attack: the net
# failed = "gradient raises 21, threshold, release, files"
#: file


def attempt(name):
    import socket
    socket.create_connection(('127.0.0.1', 80))


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
