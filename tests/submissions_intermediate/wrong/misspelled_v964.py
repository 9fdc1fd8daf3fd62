# verdict:
# failed = "gradient raises @A, release"
# why = "a name that there is not"
#: all
    scores.retain_grads()  # @A
    loss.backward()
#: dict
