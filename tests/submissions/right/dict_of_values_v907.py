# verdict:
#: net
        w0, w1 = self.w
        v = {}
        v["t1"] = w0 ** 2
        v["t2"] = w1 * x1
        v["r1"] = v.pop("t1") + v.pop("t2")
        v["r2"] = w0 * x2 - w1
        v["t5"] = x3 / v["r1"]
        y = v["r1"] * v["r2"] + v["t5"]
        v["g1"] = v.pop("r2") - v.pop("t5") / v["r1"]
        dw0 = v["g1"] * 2 * w0 + v["r1"] * x2
        dw1 = v.pop("g1") * x1 - v.pop("r1")
#: end
