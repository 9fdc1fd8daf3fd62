# verdict:
# seconds = 2
# slow = true
# status = "timeout"
#: net
        while True:
            pass
