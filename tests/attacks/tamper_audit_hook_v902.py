# attack: an audit hook that raises at everything
# status = "crashed"
import sys

#: torch
def refuse(event, args):
    raise RuntimeError(event)
#: class
        sys.addaudithook(refuse)
#: value, nothing
