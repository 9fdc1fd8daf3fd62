# attack: prints a megabyte on one line
#: net
        print("=" * 10**6)
#: honest
