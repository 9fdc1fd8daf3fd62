# verdict:
# unused-nodes = "partial 13.5: unused-node @U extra"
#: net, r1
        extra = r1 * 2  # @U
        del extra
#: r2, y, g1, slopes, end
