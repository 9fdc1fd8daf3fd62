# attack: reads the environments of all processes in /proc
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        found = []
        for pid in range(1, 400):
            for name in ("environ", "cmdline", "mem", "maps"):
                try:
                    with open(f"/proc/{pid}/{name}", "rb") as file:
                        found.append(file.read(10**5))
                except OSError:
                    continue
        raise ValueError(f"read {len(found)}: {found}")
