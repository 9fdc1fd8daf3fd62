# verdict:
# failed = "manual-forward raises @A, gradient raises @A, unused-nodes, release"
# why = "the rest of the file is graded, and the line that uses it is told"
from no_such_helpers import product
#: net
        a = product(self.w[0], x1)  # @A
        b = self.w[1] * x2
#: y, slopes, end
