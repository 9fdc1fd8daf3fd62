# verdict:
# why = "the assignment's own test looks for them in .grad; the rubric may allow it"
# failed = "gradient returned-gradient @P"
# notes = ["returns its gradients"]
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: values, g1, slopes
        return y, dw0, dw1
