# attack: prints ten megabytes on one line
#: net
        print("=" * 10**7)
#: honest
