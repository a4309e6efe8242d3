"""A pricing table: which plans are shown, and how."""
