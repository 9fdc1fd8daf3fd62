# verdict:
# why = "a term that no digit of y or a gradient shows at any point"
# unused-nodes = "partial 13.5: unused-node @U extra"
#: net, products, y
        extra = a * 3  # @U
        y = y + 1e-30 * extra
        del extra
#: slopes, end
