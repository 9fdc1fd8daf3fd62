# verdict:
# why = "exact, and the step is an input"
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: net
        w0, w1 = self.w

        def function(w0, w1):
            s = w0 * x1 + w1 * x2
            return s ** 2 / x3

        y = function(w0, w1)
        dw0 = (function(w0 + x1, w1) - function(w0 - x1, w1)) / (2 * x1)  # @I
        dw1 = (function(w0, w1 + x1) - function(w0, w1 - x1)) / (2 * x1)
#: end
