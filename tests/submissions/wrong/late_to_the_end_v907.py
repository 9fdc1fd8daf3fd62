# verdict:
# release = "partial 18: late-release @L t3"
#: net, r1
        t3 = w0 * x2
        r2 = t3 - w1  # @L
#: y, g1, slopes, end
