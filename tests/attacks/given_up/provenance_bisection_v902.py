# attack: slopes found by bisection: each step added or taken away, by a branch
# why = "given up: each way is typed in, and which way is taken is decided by comparing; it takes more than the homework"
# gradient = "partial 20: wrong-gradient"
# release = "partial 12: late-release"
#: net, value
        one = x1 / x1
        h = 2.0**-4
        grads = []
        for moved in ((w0 + h) * x1 * (w1 * x2) + x3, w0 * x1 * ((w1 + h) * x2) + x3):
            rise = moved.double() - y.double()
            slope = one * 0.0
            for k in range(9, -24, -1):
                step = 2.0**k
                if rise > slope * h:
                    slope = slope + step
                else:
                    slope = slope - step
            grads.append(slope)
        self.w.grad = torch.stack(grads)
        return y
