"""Why a license is refused; the bodies are ``{error}`` (wire 28)."""

from __future__ import annotations

from kernel.errors import Invalid, NotAllowed, NotFound


class LicenseNotFound(NotFound):
    """License not found."""

    code = "license_not_found"
    body_key = "error"


class UnknownLicenseKey(NotFound):
    """There is no such license key, or it is not this customer's."""

    code = "unknown_license_key"
    body_key = "error"


class InstanceNotFound(NotFound):
    """The license has no such active instance."""

    code = "instance_not_found"
    body_key = "error"


class LicenseIsDisabled(NotAllowed):
    """The license was deactivated and cannot be used any more."""

    code = "license_disabled"
    body_key = "error"


class LicenseHasExpired(NotAllowed):
    """The license has expired."""

    code = "license_expired"
    body_key = "error"


class SubscriptionGivesNoAccess(NotAllowed):
    """The subscription of the license gives no access at present."""

    code = "subscription_inactive"
    body_key = "error"


class ActivationLimitReached(NotAllowed):
    """The activation limit is reached."""

    code = "activation_limit_reached"
    body_key = "error"


class DisabledForGood(Invalid):
    """A license that was deactivated stays so."""

    code = "license_disabled"
    body_key = "error"
