# attack: reads a file in the home folder
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        with open("@home@/secret.txt") as file:
            raise ValueError(file.read())
