# verdict:
# seconds = 2
# slow = true
# status = "timeout"
# why = "it branches, so that it runs on more points; that it is too slow there is no work out of sight"
#: torch
import time

#: class
        time.sleep(1)
#: products
        y = a * b + x3 if a > 0 else x3 + a * b
#: slopes, end
