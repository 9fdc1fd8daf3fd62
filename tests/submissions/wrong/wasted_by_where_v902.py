# verdict:
# why = "a choice that never falls on what is computed for it"
# unused-nodes = "partial 13.5: unused-node @U other"
#: net, products, y
        other = y * 2  # @U
        y = torch.where(y == y, y, other)
        del other
#: slopes, end
