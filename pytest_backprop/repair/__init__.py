"""Names the faulty line of a wrong pass, by searching for the edit that makes it right."""
