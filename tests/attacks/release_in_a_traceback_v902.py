# attack: keeps values in the frames of a traceback
# release = "partial 16: late-release, late-release"
#: torch
KEPT = []
def put(*values):
    try:
        raise ValueError
    except ValueError as error:
        KEPT.append(error.__traceback__)
#: class, products
        put(a, b)
#: y, slopes, end
