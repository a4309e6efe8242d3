"""Under whose account the embedded server runs: PostgreSQL refuses to run as root."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path

from adapters.cannot_start import CannotStart


USER_NAMESPACE = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")

NO_ACCOUNT = """\
PostgreSQL does not run as root, and neither way around it works here:
  a user namespace (`unshare --user` fails), or the account `nobody` (it cannot reach {binaries}).
Run billstream as a plain user, or set BILLSTREAM_DATABASE_URL to a PostgreSQL 15 or newer."""


@dataclass(frozen=True, slots=True)
class Account:
    """A command prefix, and a user to become when that differs from our own."""

    prefix: tuple[str, ...] = ()
    user: int | None = None
    group: int | None = None

    @property
    def owner(self) -> int:
        return os.geteuid() if self.user is None else self.user

    def own(self, path: Path) -> None:
        """Give the path to the account, where it is not ours."""
        if self.user is not None:
            os.chown(path, self.user, -1 if self.group is None else self.group)


def choose(data: Path, binaries: Path) -> Account:
    """The account that owns the data, or the least intrusive one for new data.

    :raises CannotStart: as root, when no way works; as a user, when the data are another's.
    """
    owner = data.stat().st_uid if data.exists() else None
    if os.geteuid() != 0:
        if owner not in {None, os.geteuid()}:
            raise CannotStart(f"{data} belongs to {name_of(owner)}: start billstream as that user")
        return Account()
    candidates = [Account(prefix=USER_NAMESPACE)] if owner in {None, 0} else []
    if owner != 0:
        candidates += plain_accounts(owner)
    for account in candidates:
        if works(account, binaries):
            return account
    raise CannotStart(NO_ACCOUNT.format(binaries=binaries))


def plain_accounts(owner: int | None) -> list[Account]:
    try:
        entry = pwd.getpwnam("nobody") if owner is None else pwd.getpwuid(owner)
    except KeyError:
        return []
    return [Account(user=entry.pw_uid, group=entry.pw_gid)]


def works(account: Account, binaries: Path) -> bool:
    """Whether the server's program runs under the account at all."""
    try:
        done = run(account, binaries / "postgres", "--version")
    except OSError:
        return False
    return done.returncode == 0


def run(account: Account, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program to its end under the account, from a folder that everybody may enter."""
    return subprocess.run(  # noqa: S603 our own binaries
        [*account.prefix, *command],
        user=account.user,
        group=account.group,
        extra_groups=None if account.user is None else [],
        cwd="/",
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


def name_of(uid: int | None) -> str:
    try:
        return pwd.getpwuid(uid or 0).pw_name
    except KeyError:
        return f"user {uid}"
