# verdict:
# why = "it runs to its end on positive inputs, where nodes and releases are judged"
# failed = "manual-forward raises @E, gradient raises @E"
#: net, values, g1
        if x1 < 0:
            raise ValueError("only positive inputs")  # @E
#: slopes, end
