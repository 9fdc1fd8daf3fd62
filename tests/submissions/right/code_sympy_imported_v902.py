# verdict:
# why = "sympy is imported with a star, a number of it used, and nothing differentiated"
from sympy import *

#: torch

HALF = float(pi / 2) / float(pi)
#: weights
        self.half = HALF
#: forward, pass, honest
