"""Where the customer portal of an organization lives (wire 20)."""

from __future__ import annotations

from kernel.tenant import Tenant


PATH = "/portal/"


def portal_path(tenant: Tenant) -> str:
    """The path under which every page of the portal lies; its cookie goes nowhere else."""
    return f"{PATH}{tenant.slug}/"


def portal_address(base_url: str, tenant: Tenant) -> str:
    """The address of the portal; alone it signs nobody in."""
    return f"{base_url}{portal_path(tenant)}"
