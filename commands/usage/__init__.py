"""Commands about the use of features."""
