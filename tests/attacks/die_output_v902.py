# attack: prints without end
# status = "timeout"
#: net
        while True:
            print("100 points" * 1000)
