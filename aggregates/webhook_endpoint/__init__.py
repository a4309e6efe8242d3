"""Where a merchant wants to be told what happens, and how deliveries are signed."""
