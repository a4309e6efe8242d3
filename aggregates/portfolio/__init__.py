"""Which subscriptions a customer has: one stream per customer, for rules over all of them."""
