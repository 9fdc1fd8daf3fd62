# attack: prints without end
# status = "crashed"
#: net
        while True:
            print("100 points" * 1000)
