# verdict:
# why = "u is last used two statements before it goes"
# unused-nodes = "partial 10.5: unused-node @U u, unused-node @V v, unused-node @K k"
# release = "partial 18: late-release @V u"
#: net, r1
        u = x1 * x2  # @U
        v = u + w0  # @V
        k = v * v  # @K
        del u, v, k
#: r2, y, g1, slopes, end
