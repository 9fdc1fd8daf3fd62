# verdict:
# why = "nobody asked for the gradient of an input"
# unused-nodes = "partial 13.5: unused-node @U dx1"
#: net, values, g1
        dx1 = g1 * w1  # @U
        del dx1
#: slopes, end
