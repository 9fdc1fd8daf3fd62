# verdict:
#: net
        w0, w1 = self.w
        values = {}
        for name in ("a", "b"):
            match name:
                case "a":
                    values[name] = w0 * x1
                case _:
                    values[name] = w1 * x2
        y = values["a"] * values["b"] + x3
        grads = []
        for name in ("b", "a"):
            match name:
                case "b":
                    grads.append(values.pop(name) * x1)
                case "a":
                    grads.append(values.pop(name) * x2)
        self.w.grad = torch.stack(grads)
        return y
