# attack: returns gradients that are not numbers
# failed = "gradient no-gradient, unused-nodes, release"
#: net, value
        return y, ["1", None, {}]
