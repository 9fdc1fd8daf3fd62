# verdict:
# unused-nodes = "partial 13.5: unused-node @U spare"
#: net, values, g1
        spare = r1.clone()  # @U
        del spare
#: slopes, end
