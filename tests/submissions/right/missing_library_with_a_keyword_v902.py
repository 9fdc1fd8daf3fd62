# verdict:
#: torch
from no_such_progress_bar import tqdm
#: weights, forward, pass, honest

for step in tqdm(range(10), desc="training"):
    print(step)
