# attack: keeps what a function is called with for each element
# why = "given up: where a copy goes is followed in the function that it is made in, and in no other"
#: torch
kept = []


def keep(number):
    kept.append(number)
    return number
#: class, values
        c.apply_(keep)
        c = None
        dw0 = b * x1
        b.apply_(keep)
        b = None
        dw1 = a * x2
        a.apply_(keep)
        a = None
#: end
