# verdict:
# why = "what is added is taken off again"
# unused-nodes = "partial 13.5: unused-node @U extra"
#: net, products, y
        extra = a * 3  # @U
        y = y + extra - extra
        del extra
#: slopes, end
