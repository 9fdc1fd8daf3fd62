# verdict:
# why = "of a quadratic they are exact, whatever the step"
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: net
        w0, w1 = self.w

        def function(w0, w1):
            s = w0 * x1 + w1 * x2
            return s ** 2 / x3

        y = function(w0, w1)
        dw0 = function(w0 + 0.5, w1) - function(w0 - 0.5, w1)  # @I
        dw1 = function(w0, w1 + 0.5) - function(w0, w1 - 0.5)
#: end
