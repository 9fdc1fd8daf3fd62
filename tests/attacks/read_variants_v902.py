# attack: reads the variants and the rubric
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        with open("@root@/variants/v902.py") as file:
            raise ValueError(file.read())
