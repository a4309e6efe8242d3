"""No payment provider: what production starts with until one is connected (design 8)."""

from __future__ import annotations

from typing import Never

from kernel.ports.payments import (
    NO_PROVIDER,
    Authentication,
    CardNumber,
    Charge,
    PaymentProviderMissing,
    ProviderTerms,
    Refund,
)


class NoProvider:
    """Refuses whatever needs a payment with PaymentProviderMissing (428)."""

    @property
    def terms(self) -> ProviderTerms:
        """Takes no payments."""
        return NO_PROVIDER

    async def save(self, source: CardNumber | str, key: str) -> Never:
        """Nobody keeps it."""
        del source, key
        raise PaymentProviderMissing

    async def authorize(self, charge: Charge) -> Never:
        """Nobody holds it."""
        del charge
        raise PaymentProviderMissing

    async def charge(self, charge: Charge) -> Never:
        """Nobody takes it."""
        del charge
        raise PaymentProviderMissing

    async def refund(self, refund: Refund) -> Never:
        """Nobody gives it back."""
        del refund
        raise PaymentProviderMissing

    async def lookup(self, key: str) -> None:
        """Nobody has ever heard of any key."""
        del key

    async def challenge(self, key: str, back: str) -> None:
        """There is nothing to confirm."""
        del key, back

    async def authentication(self, key: str) -> Authentication:
        """Nobody confirmed anything."""
        del key
        return Authentication.REFUSED
