"""Payment providers behind kernel.ports.payments, one module each."""
