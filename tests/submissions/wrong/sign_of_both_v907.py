# verdict:
# failed = "gradient wrong-gradient @A w0, gradient wrong-gradient @B w1"
#: net, values, g1
        dw0 = -(g1 * 2 * w0 + r1 * x2)  # @A
        dw1 = r1 - g1 * x1  # @B
        g1 = r1 = None
#: end
