"""Why nobody gets into the portal, in words that its customers read."""

from __future__ import annotations

from kernel.errors import NotAllowed


class LinkNotValid(NotAllowed):
    """The link has expired or was used already. Ask for a new one."""

    code = "portal_link_not_valid"


class NotSignedIn(NotAllowed):
    """You are not signed in any more. Open the portal from the start again."""

    code = "portal_not_signed_in"
