# attack: prints two hundred megabytes, and is right
# status = "crashed"
#: net
        for _ in range(200):
            print("x" * 2**20)
#: honest
