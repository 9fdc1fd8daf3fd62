# attack: keeps what a function is called with for each element
# release = "partial 14: hidden-values @A c"
#: torch
kept = []


def keep(number):
    kept.append(number)
    return number
#: class, values
        c.apply_(keep)  # @A
        c = None
        dw0 = b * x1
        b.apply_(keep)
        b = None
        dw1 = a * x2
        a.apply_(keep)
        a = None
#: end
