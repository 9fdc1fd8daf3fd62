# verdict:
# why = "a value that is never used is last used where it is made"
# unused-nodes = "partial 13.5: unused-node @U extra"
# release = "partial 18: late-release @U extra"
#: net, r1
        extra = r1 * 2  # @U
#: r2, y, g1, slopes, end
