# attack: reads its memory for left-over text
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        with open("/proc/self/maps") as file:
            raise ValueError(file.read())
