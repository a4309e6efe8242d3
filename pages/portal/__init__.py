"""The customer portal: what customers see of their subscriptions, and change themselves."""
