# verdict:
# status = "unreadable: no-function -"
# why = "the tape cannot be reset"
#: variable
class TapeEntry(NamedTuple):
    inputs: List[str]
    outputs: List[str]
    propagate: Callable


gradient_tape = []


#: grad, mul, add, sum, expand
