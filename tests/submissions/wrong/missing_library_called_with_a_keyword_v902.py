# verdict:
# failed = "gradient raises @T, manual-forward raises @T, unused-nodes, release"
#: torch
from no_such_progress_bar import tqdm
#: weights, forward, pass
        for _ in tqdm(range(1), desc="x"):  # @T
            pass
#: honest
