# verdict:
# status = "unreadable: load-error 3"
import missing_module_of_mine


def pack_hook(x):
    return missing_module_of_mine.save(x)


def unpack_hook(x):
    return missing_module_of_mine.load(x)
