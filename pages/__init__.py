"""The pages that a merchant's customers see."""
