# attack: loops without end and catches everything
# status = "timeout"
#: net
        while True:
            try:
                while True:
                    x1 + x2
            except BaseException:
                continue
