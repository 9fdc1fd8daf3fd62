# attack: keeps every value's bytes in a list that a closure holds
# release = "partial 14: hidden-values @A c, hidden-values @A b, hidden-values @A a"
#: torch
def keeper():
    held = []

    def keep(value):
        held.append(bytes(value.numpy()))  # @A

    return keep


keep = keeper()
#: class, values
        keep(c)
        c = None
        dw0 = b * x1
        keep(b)
        b = None
        dw1 = a * x2
        keep(a)
        a = None
#: end
