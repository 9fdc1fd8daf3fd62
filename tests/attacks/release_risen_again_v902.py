# attack: keeps values in an object that lives on when it is deleted
# release = "partial 16: late-release, late-release"
#: torch
RISEN = []
class Phoenix:
    def __init__(self, *values):
        self.values = values
    def __del__(self):
        RISEN.append(self.values)
#: class, products
        p = Phoenix(a, b)
        del p
#: y, slopes, end
