# verdict:
# why = "a product with a zero that is typed in"
# unused-nodes = "partial 13.5: unused-node @U extra"
# notes = ["is zero at every point"]
#: net, products, y
        extra = a * 3  # @U
        y = y + extra * 0
        del extra
#: slopes, end
