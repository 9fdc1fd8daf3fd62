# verdict:
# failed = "release kept @N2, release kept @N4"
# why = "a context variable has the last gradients, which reset_tape leaves there"
#: note
import contextvars

last = contextvars.ContextVar("last")
grad_of_the_note = grad


def grad(L, desired_results):
    last.set(grad_of_the_note(L, desired_results))
    return last.get()
