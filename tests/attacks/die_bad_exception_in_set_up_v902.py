# attack: an exception whose text raises, while its model is made
# status = "unreadable: constructor"
#: torch
class Broken(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__
#: weights
        raise Broken
#: forward, pass, value
        return y
