# verdict:
# failed = "gradient raises @A, release"
# why = "backward again on a graph that is gone"
#: all, retain
    loss.backward()  # @A
#: dict
