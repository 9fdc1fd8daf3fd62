# verdict:
#: torch

def with_backward(cls):
    def my_forward_backward(self, x1, x2, x3):
#: inner_honest

    cls.my_forward_backward = my_forward_backward
    return cls


@with_backward
#: class_alone
