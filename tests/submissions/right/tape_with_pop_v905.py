# verdict:
# why = "the tape gives its values up as it is read; the first gradient is an input itself"
#: net
        w0, w1, w2 = self.w
        tape = []
        a = w0 * x1
        b = w1 * w2
        tape.append(("mul", (None, x2), ("b", None)))
        tape.append(("mul", (w1, w2), ("w1", "w2")))
        y = a + b * x2
        del a, b
        grads = {"out": torch.ones_like(y), "w0": x1}
        where = ["out", "b"]
        for source in where:
            _, (left, right), (to_left, to_right) = tape.pop(0)
            g = grads.pop(source)
            if to_left is not None:
                grads[to_left] = g * right
            if to_right is not None:
                grads[to_right] = g * left
            del g, left, right
        self.w.grad = torch.stack([grads["w0"], grads["w1"], grads["w2"]])
        return y
