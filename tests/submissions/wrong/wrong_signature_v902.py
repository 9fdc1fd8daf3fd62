# verdict:
# status = "unreadable: signature"
#: model, forward

    def my_forward_backward(self, x, y):
        return x
