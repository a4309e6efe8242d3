"""Commands about money that is given back."""
