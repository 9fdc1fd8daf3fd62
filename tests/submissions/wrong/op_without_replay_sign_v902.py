# verdict:
# why = "a gradient is judged on the runs of its own, too"
# gradient = "partial 20: wrong-gradient @W w1"
#: net, products, by_matrix_exp
#: y
        dw0 = b * x1
        del b
        dw1 = -a * x2  # @W
        del a
#: end
