"""What has to be done so that the catalog is what a file says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from adapters.cannot_start import CannotStart
from app.catalog_file import requests
from app.catalog_file.client import Api
from app.catalog_file.document import CatalogFile, PlanPart, ProductPart
from app.catalog_file.plain import (
    Plain,
    differences,
    plain_feature,
    plain_plan,
    plain_product,
)
from app.catalog_file.present import Present
from kernel.entitlement import FeatureType


Line = tuple[str, str, str]
"""Path, old value, new value."""

FIXED = ("type", "units", "customerUnit", "aggregation", "filters")
"""What is fixed once a feature exists."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to change: what people see of it, and the requests that do it."""

    title: str
    lines: tuple[Line, ...]
    run: Callable[[Api], None]
    creates: bool = False


@dataclass(slots=True)
class Difference:
    """Steps from the present to the file, in order; ``untouched`` is not in the file."""

    wanted: CatalogFile
    present: Present
    steps: list[Step] = field(default_factory=list)
    untouched: list[str] = field(default_factory=list)

    @classmethod
    def between(cls, wanted: CatalogFile, present: Present) -> Difference:
        """Compare. Raises CannotStart when the file asks for what cannot be changed."""
        found = cls(wanted, present)
        if problems := list(found._impossible()):
            raise CannotStart("\n".join(problems))
        found.steps = [*found._features(), *found._products(), *found._plans()]
        found.untouched = list(found._left_alone())
        return found

    def _impossible(self) -> Iterator[str]:
        known = self.present.document
        for identifier, part in self.wanted.features.items():
            if identifier not in known.features:
                continue
            old, new = plain_feature(known.features[identifier]), plain_feature(part)
            for path, was, shall in differences(old, new):
                if path.partition(".")[0] in FIXED:
                    yield f"features.{identifier}.{path}: is fixed, {was!r} cannot be {shall!r}"
        features = {*self.wanted.features, *known.features}
        for identifier, (owner, plan) in self.wanted.plans.items():
            place = f"products.{owner}.plans.{identifier}"
            owners = known.plans.get(identifier)
            if owners is not None and owners[0] != owner:
                yield f"{place}: the plan is of the product {owners[0]} and stays there"
            for name in sorted(_named(plan) - features):
                yield f"{place}: there is no feature {name}"

    def _features(self) -> Iterator[Step]:
        known = self.present.document.features
        for identifier, part in self.wanted.features.items():
            old = plain_feature(known[identifier]) if identifier in known else None
            lines = tuple(differences(old or {}, plain_feature(part)))
            if old is None:
                body = requests.feature(identifier, part)
                run = _creation(self.present.features, identifier, "/catalog/features/", body)
                yield Step(f"feature {identifier}", lines, run, creates=True)
            elif lines:
                path = f"/catalog/features/{self.present.features[identifier]}/"
                yield Step(
                    f"feature {identifier}",
                    lines,
                    _request("PATCH", path, requests.feature_words(part)),
                )

    def _products(self) -> Iterator[Step]:
        known = self.present.document.products
        for identifier, part in self.wanted.products.items():
            old = plain_product(known[identifier]) if identifier in known else None
            lines = tuple(differences(old or {}, plain_product(part)))
            if lines:
                run = self._product(identifier, part, is_new=old is None)
                yield Step(f"product {identifier}", lines, run, creates=old is None)

    def _product(
        self, identifier: str, part: ProductPart, *, is_new: bool
    ) -> Callable[[Api], None]:
        words, ids = requests.product_words(part), self.present.products

        def run(api: Api) -> None:
            if is_new:
                body = {**words, "identifier": identifier}
                ids[identifier] = api.call("POST", "/catalog/products/", body)["id"]
            else:
                api.call("PATCH", f"/catalog/products/{ids[identifier]}/", words)
            path = f"/catalog/products/{ids[identifier]}/settings/"
            api.call("PATCH", path, requests.settings(part))

        return run

    def _plans(self) -> Iterator[Step]:
        types = {
            identifier: part.type
            for source in (self.present.document, self.wanted)
            for identifier, part in source.features.items()
        }
        for identifier, (owner, part) in self.wanted.plans.items():
            known = self.present.document.plans.get(identifier)
            old = None if known is None else plain_plan(known[1], types)
            lines = tuple(differences(old or {}, plain_plan(part, types)))
            if lines or identifier in self.present.drafts:
                run = self._plan(identifier, owner, part, old, types)
                yield Step(f"plan {identifier}", lines, run, creates=old is None)

    def _plan(
        self,
        identifier: str,
        owner: str,
        part: PlanPart,
        old: Plain | None,
        types: dict[str, FeatureType],
    ) -> Callable[[Api], None]:
        new, path = plain_plan(part, types), f"/catalog/plans/{identifier}"

        def run(api: Api) -> None:
            words = requests.plan_words(part)
            if old is None:
                product = {"identifier": identifier, "product": self.present.products[owner]}
                api.call("POST", "/catalog/plans/", {**words, **product})
            elif _other(old, new, but=("prices", "entitlements")):
                api.call("PATCH", f"{path}/", words)
            if old is None or old["prices"] != new["prices"]:
                body = requests.prices(part, self.present.features)
                api.call("POST", f"{path}/prices/bulk/", body)
            self._entitlements(api, path, part, (old or {}).get("entitlements", {}), new)
            api.call("POST", f"{path}/publish/", {})

        return run

    def _entitlements(self, api: Api, path: str, part: PlanPart, old: Plain, new: Plain) -> None:
        for gone in old.keys() - new["entitlements"].keys():
            api.call("DELETE", f"{path}/features/{gone}/")
        changed = [
            {"feature": self.present.features[name], "details": requests.details(details)}
            for name, details in part.entitlements.items()
            if old.get(name) != new["entitlements"][name]
        ]
        if changed:
            api.call("POST", f"{path}/features/", {"planEntitlements": changed})

    def _left_alone(self) -> Iterator[str]:
        known = self.present.document
        yield from (f"feature {name}" for name in known.features.keys() - self.wanted.features)
        yield from (f"product {name}" for name in known.products.keys() - self.wanted.products)
        yield from (f"plan {name}" for name in known.plans.keys() - self.wanted.plans.keys())


def _named(plan: PlanPart) -> set[str]:
    priced = {name for price in plan.prices for name in price.features}
    return priced | plan.entitlements.keys()


def _other(old: Plain, new: Plain, *, but: tuple[str, ...]) -> bool:
    return any(old.get(key) != new.get(key) for key in (old.keys() | new.keys()) - set(but))


def _request(method: str, path: str, body: Any) -> Callable[[Api], None]:
    def run(api: Api) -> None:
        api.call(method, path, body)

    return run


def _creation(ids: dict[str, str], identifier: str, path: str, body: Any) -> Callable[[Api], None]:
    def run(api: Api) -> None:
        ids[identifier] = api.call("POST", path, body)["id"]

    return run
