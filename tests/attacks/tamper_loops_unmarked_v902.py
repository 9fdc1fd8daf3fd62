# attack: what tells the rounds of a loop apart is bound to something else, by each name that the pass's code has
# release = "partial 16: late-release @L terms['a'], late-release @L terms['b']"
#: model, forward
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        terms = {}
        for name in self.my_forward_backward.__code__.co_names:
            if "loop" in name:
                globals()[name] = int
        for name, term in (
            ("a", lambda: w0 * x1),
            ("b", lambda: w1 * x2),
            ("y", lambda: terms["a"] * terms["b"] + x3),
            ("dw0", lambda: terms["b"] * x1),
            ("dw1", lambda: terms["a"] * x2),
            ("gradient", lambda: torch.stack([terms["dw0"], terms["dw1"]])),
        ):
            terms[name] = term()  # @L
        self.w.grad = terms["gradient"]
        return terms["y"]
