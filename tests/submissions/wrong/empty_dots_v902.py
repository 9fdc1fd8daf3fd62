# verdict:
# why = "nothing is written yet, and nothing is hidden"
# failed = "gradient no-gradient @P w0, gradient no-gradient @P w1, manual-forward wrong-type @P, unused-nodes, release"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
        ...
