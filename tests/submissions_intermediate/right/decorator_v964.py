# verdict:
# why = "a decorator of their own"
#: imports
import functools


def quiet(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@quiet
#: def, forward, loss, retain, dict
