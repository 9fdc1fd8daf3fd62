# attack: an exception whose text is no text
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: torch
class Broken(Exception):
    def __str__(self):
        return 7
#: class
        raise Broken
