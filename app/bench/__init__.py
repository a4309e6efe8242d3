"""The benchmarks of design 14: each hot path beside a reference in the same run."""
