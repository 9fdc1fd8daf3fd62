# verdict:
# failed = "gradient, release, integrity input-changed @A y"
# why = "an input is changed"
#: all, retain
    y.zero_()  # @A
#: dict
