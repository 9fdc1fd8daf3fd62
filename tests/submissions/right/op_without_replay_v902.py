# verdict:
# why = "no replay runs matrix_exp: the pass is judged on its own runs, and that is no breach"
#: net, products, by_matrix_exp
#: y, slopes, end
