# verdict:
# why = "the last gradients are kept for looking at, and go with the tape"
#: note
last = []
grad_of_the_note = grad
reset_of_the_note = reset_tape


def grad(L, desired_results):
    last[:] = grad_of_the_note(L, desired_results)
    return list(last)


def reset_tape():
    last.clear()
    reset_of_the_note()
