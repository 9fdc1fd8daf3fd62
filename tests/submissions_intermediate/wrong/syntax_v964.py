# verdict:
# status = "unreadable: syntax-error @A"
# why = "an open parenthesis"
#: start
    scores = (x @ q  # @A
    return scores
