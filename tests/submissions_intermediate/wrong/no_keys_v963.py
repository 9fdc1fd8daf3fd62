# verdict:
# failed = "gradient no-gradient @A prediction, gradient no-gradient @A residual, release"
# why = "an empty dict"
#: all, retain
    return {}  # @A
