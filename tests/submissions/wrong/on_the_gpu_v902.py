# verdict:
# why = "the child is given no GPU, whatever the machine has, and the finding says what to write"
# failed = "manual-forward raises @R, gradient raises @R, unused-nodes, release"
#: net, products
        a = a.cuda()  # @R
#: y, slopes, end
