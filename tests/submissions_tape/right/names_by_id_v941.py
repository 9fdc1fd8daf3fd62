# verdict:
# why = "the id of the object is its name, so the tape keeps the objects"
#: note
import itertools

_numbers = itertools.count()


def fresh_name():
    return next(_numbers)


def reset_tape():
    gradient_tape.clear()
