# verdict:
# failed = "manual-forward wrong-value @P"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: r1, r2
        t4 = r1 * r2
        t5 = x3 / r1
        y = t4 - t5
        t4 = None

#: g1, slopes, end
