"""Business tax ids checked offline, by form and check digits (python-stdnum)."""

from __future__ import annotations

from dataclasses import dataclass

from stdnum import get_cc_module
from stdnum.eu import vat
from stdnum.exceptions import ValidationError


@dataclass(frozen=True, slots=True)
class StandardTaxIds:
    """VAT numbers of all countries the library knows; an EU number may carry its prefix."""

    def is_valid(self, country: str, tax_id: str) -> bool:
        """Whether this is a valid VAT (or GST) number of that country."""
        code = country.lower()
        if code in vat.MEMBER_STATES:
            return _of_member_state(code, tax_id)
        module = get_cc_module(code, "vat")
        return module is not None and bool(module.is_valid(tax_id))


def _of_member_state(code: str, tax_id: str) -> bool:
    prefix = "EL" if code == "gr" else code.upper()
    tax_id = tax_id.upper().strip().removeprefix("GR") if code == "gr" else tax_id
    try:
        number = vat.compact(tax_id)
    except ValidationError:
        number = f"{prefix}{tax_id}"
    return bool(number.startswith(prefix) and vat.is_valid(number))
