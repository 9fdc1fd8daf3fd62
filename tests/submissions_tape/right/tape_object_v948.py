# verdict:
# why = "the tape is an object"
#: variable, mul, add, sum, expand
class TapeEntry(NamedTuple):
    inputs: list
    outputs: list
    propagate: object


class Tape:
    def __init__(self):
        self.entries = []

    def append(self, entry):
        self.entries.append(entry)

    def clear(self):
        self.entries = []

    def __reversed__(self):
        return reversed(list(self.entries))


gradient_tape = Tape()


def reset_tape():
    gradient_tape.clear()


#: grad
