# verdict:
# why = "callbacks of builtins: sorted, map, filter, a custom operator class"
#: net
        w0, w1 = self.w
        a, b = map(lambda pair: pair[0] * pair[1], [(w0, x1), (w1, x2)])
        y = a * b + x3
        grads = {}
        for name, factor in sorted({"w1": x2, "w0": x1}.items(), key=lambda item: item[0]):
            grads[name] = (b if name == "w0" else a) * factor
            if name == "w0":
                del b
            else:
                del a
        self.w.grad = torch.stack(list(grads.values()))
        return y
