# attack: an audit hook that raises at everything
# status = "grader_error"
import sys

#: torch
def refuse(event, args):
    raise RuntimeError(event)
#: class
        sys.addaudithook(refuse)
#: value, nothing
