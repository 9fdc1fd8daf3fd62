# verdict:
# why = "the last `other` is still there at the stack; the first died when `other` was bound again"
# release = "partial 18: late-release @L other"
#: net
        w0, w1 = self.w
        terms = [w0 * x1, w1 * x2]
        y = terms[0] * terms[1] + x3
        grads = []
        for x in (x1, x2):
            other = terms.pop()
            grads.append(other * x)  # @L
        self.w.grad = torch.stack(grads)
        return y
