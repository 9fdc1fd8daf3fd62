# attack: keeps what a function is called with for each element
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
#: torch
kept = []


def keep(number):
    kept.append(number)
    return number
#: class, values
        c.apply_(keep)  # @A
        c = None
        dw0 = b * x1
        b.apply_(keep)  # @B
        b = None
        dw1 = a * x2
        a.apply_(keep)  # @C
        a = None
#: end
