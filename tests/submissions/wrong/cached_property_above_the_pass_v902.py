# verdict:
# why = "reading it calls it, without inputs"
# status = "unreadable: load-error @P"
import functools

#: model, forward

    @functools.cached_property
    def my_forward_backward(self, x1, x2, x3):  # @P
#: honest
