# verdict:
# why = "what only a GPU can do raises, and the finding says so"
# failed = "manual-forward raises @R, gradient raises @R, unused-nodes, release"
#: net, products
        torch.cuda.synchronize()  # @R
#: y, slopes, end
