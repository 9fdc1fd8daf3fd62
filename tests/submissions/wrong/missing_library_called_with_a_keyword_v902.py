# verdict:
# status = "not_judged"
#: torch
from no_such_progress_bar import tqdm
#: weights, forward, pass
        for _ in tqdm(range(1), desc="x"):
            pass
#: honest
