# verdict:
# why = "each Variable has its gradient, too, and both go"
#: note
grad_of_the_note = grad


def grad(L, desired_results):
    results = grad_of_the_note(L, desired_results)
    for desired, result in zip(desired_results, results):
        desired.grad = result
    return [desired.grad for desired in desired_results]
