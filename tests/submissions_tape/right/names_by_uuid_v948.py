# verdict:
# why = "names that nobody has twice"
#: note
import uuid


def fresh_name():
    return uuid.uuid4().hex


def reset_tape():
    gradient_tape.clear()
