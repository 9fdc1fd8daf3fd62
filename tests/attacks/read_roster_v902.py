# attack: reads the roster
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        with open("@root@/roster.csv") as file:
            raise ValueError(file.read())
