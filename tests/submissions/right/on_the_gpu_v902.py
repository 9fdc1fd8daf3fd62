# verdict:
# why = "the child is given no GPU, whatever the machine has: what is asked to be there stays on the CPU, and is no op more"
# notes = ["ran on the CPU"]
#: net, products
        a = a.cuda()
#: y, slopes, end
