"""Countries of addresses from the table that comes with geoip2fast."""

from __future__ import annotations

import re
import warnings
from functools import cached_property
from importlib import import_module
from typing import Any


TABLE = "geoip2fast-ipv6.dat.gz"
"""The one that knows addresses of both kinds."""

_COUNTRY = re.compile(r"[A-Z]{2}")


class TableOfCountries:
    """The table is read when it is first asked: a third of a second that no start waits for."""

    @cached_property
    def _table(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its source holds escapes that are none
            library = import_module("geoip2fast")
        return library.GeoIP2Fast(geoip2fast_data_file=TABLE)

    def of(self, address: str) -> str | None:
        """The country of an address; None for private, unknown and malformed ones."""
        code = str(self._table.lookup(address).country_code)
        return code if _COUNTRY.fullmatch(code) else None
