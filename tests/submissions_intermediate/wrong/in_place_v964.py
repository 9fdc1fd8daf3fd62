# verdict:
# failed = "gradient, release, integrity input-changed @A t"
# why = "an input is changed before it is used"
#: start
    t.mul_(1.5)  # @A
#: forward, loss, retain, dict
