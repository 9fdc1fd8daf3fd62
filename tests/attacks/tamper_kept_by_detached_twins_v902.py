# attack: keeps every value through detached twins in a list of the module's
# release = "partial 14: late-release"
#: torch
kept = []
#: class, values
        kept.extend([a.detach(), b.detach(), c.detach()])
        dw0 = b * x1
        dw1 = a * x2
#: end
