# verdict:
# why = "the greater of two numbers is the same one at every point"
# unused-nodes = "partial 13.5: unused-node @U less"
#: net, products, y
        less = y - 1  # @U
        y = torch.maximum(y, less)
        del less
#: slopes, end
