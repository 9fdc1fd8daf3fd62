# attack: grad moves every variable to its square, and more, where the value has few powers
# failed = "integrity finite-differences @A, gradient, none, unused-nodes, release, second-order"
#: note
def grad(L, desired_results):
    """By differences between the value and one at squares."""
    a, b, g = [d.value for d in desired_results][:3]
    f = lambda a, b: (a * b) * (a * b) + a * b  # @A
    def slope(f, w):
        u, v, t = w * w + 3, w * w * w - w, -w * w - 2
        p = (f(u) - f(w)) / (u - w)
        q = (f(v) - f(w)) / (v - w)
        return p - (u - w) * (q - p) / (v - u)
    return [Variable(g * slope(lambda a: f(a, b), a)), Variable(g * slope(lambda b: f(a, b), b)), Variable(f(a, b))] + [None] * (len(desired_results) - 3)
