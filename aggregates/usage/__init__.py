"""Usage that was reported: one stream per report, so that no two reports wait for each other."""
