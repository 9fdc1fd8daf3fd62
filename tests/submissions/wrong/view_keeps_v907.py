# verdict:
# why = "a view is the same value"
# release = "partial 18: late-release @L r2"
#: net, r1, r2
        view = r2.view(1)
#: y
        g1 = r2 - t5 / r1  # @L
        r2 = t5 = None
#: slopes, end
