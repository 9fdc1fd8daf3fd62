# attack: an expression of the pass stands in a string
# failed = "integrity foreign-code, gradient, unused-nodes, release"
#: net, value
        dw0 = eval("w1 * x2 * x1")
        dw1 = eval("w0 * x1 * x2")
#: end
