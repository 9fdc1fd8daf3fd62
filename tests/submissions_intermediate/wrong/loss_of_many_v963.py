# verdict:
# failed = "gradient raises @A, release"
# why = "backward of a tensor that is no scalar"
#: start, forward
    loss = residual ** 2
    loss.backward()  # @A
#: dict
