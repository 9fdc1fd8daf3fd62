# verdict:
# why = "whatever has the power of zero is one"
# unused-nodes = "partial 13.5: unused-node @U extra"
#: net, products, y
        extra = a * 3  # @U
        y = y * extra**0
        del extra
#: slopes, end
