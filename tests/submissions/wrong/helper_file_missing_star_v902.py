# verdict:
# status = "not_judged"
# why = "what is not here may be a library, the course's or the student's: whoever grades sees to it"
from no_such_helpers import *
#: net
        a = product(self.w[0], x1)
        b = self.w[1] * x2
#: y, slopes, end
