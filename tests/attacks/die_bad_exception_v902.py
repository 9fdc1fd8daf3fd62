# attack: an exception whose text raises
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: torch
class Broken(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__
#: class
        raise Broken
