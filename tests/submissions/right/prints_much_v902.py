# verdict:
#: net
        for n in range(20000):
            print("line", n, "of the debugging output of a patient student")
#: honest
