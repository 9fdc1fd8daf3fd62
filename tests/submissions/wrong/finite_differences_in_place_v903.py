# verdict:
# why = "exact, and the weights are moved where they are"
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: net
        w = self.w.detach().clone()

        def function():
            s = w[0] * x1 + w[1] * x2
            return s ** 2 / x3

        y = function()
        grads = []
        for i in range(2):
            w[i] += 0.25
            after = function()  # @I
            w[i] -= 0.5
            before = function()
            w[i] += 0.25
            grads.append((after - before) / 0.5)
            del after, before
        self.w.grad = torch.stack(grads)
        del w
        return y
