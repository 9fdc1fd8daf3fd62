# verdict:
# status = "unreadable: load-error @P"
#: model, forward

    my_forward_backward = 3  # @P
