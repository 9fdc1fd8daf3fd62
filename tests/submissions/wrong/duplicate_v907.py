# verdict:
# unused-nodes = "partial 10.5: unused-node @U, unused-node @U, unused-node @U again"
#: net, values, g1
        again = w0 ** 2 + w1 * x1  # @U
        del again
#: slopes, end
