"""Products, features and plans as clients write and read them (wire 18)."""
