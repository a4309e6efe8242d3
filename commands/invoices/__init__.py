"""Commands about invoices and the payments that settle them."""
