# verdict:
# release = "partial 18: late-release @L tape[0]"
#: net, r1
        t3 = w0 * x2
        tape = [t3 - w1]
        t3 = None
        t4 = r1 * tape[0]
        t5 = x3 / r1
        y = t4 + t5
        t4 = None

        g1 = tape[0] - t5 / r1  # @L
        t5 = None
#: slopes, end
