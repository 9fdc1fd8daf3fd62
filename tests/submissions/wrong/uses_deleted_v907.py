# verdict:
# why = "dropped one line too soon"
# failed = "manual-forward raises @E r2, gradient raises @E r2, unused-nodes, release"
#: net, values
        r2 = None
        g1 = r2 - t5 / r1  # @E
        t5 = None
#: slopes, end
