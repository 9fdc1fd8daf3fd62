# verdict:
# failed = "release kept @N2, release kept @N4"
# why = "the gradients of all calls are kept for looking at"
#: note
history = []
grad_of_the_note = grad


def grad(L, desired_results):
    results = grad_of_the_note(L, desired_results)
    history.append(results)
    return results
