# attack: differences in whole numbers, where no rounding shows a step
# why = "given up: a part of y without its last term, with a wide step; an honest twin: right/double_then_single_v902"
# failed = "release late-release"
# unused-nodes = "partial 13.5: unused-node 11 -"
#: net, value
        parts = [torch.frexp(t.double()) for t in (w0, w1, x1, x2)]
        a, b, c, d = (torch.round(m * 2**15).long() for m, _ in parts)
        e0, e1, e2, e3 = (e for _, e in parts)
        d0 = (a + 3) * b * c * d - a * b * c * d
        d1 = a * (b + 3) * c * d - a * b * c * d
        places = torch.stack([e1, e0]) + e2 + e3 - 45
        self.w.grad = torch.ldexp(torch.stack([d0, d1]).double() / 3, places).float()
        return y
