"""Facts as bytes: JSON by stored name, personal fields apart so that they can be sealed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from operator import attrgetter
from typing import Any, get_args, get_type_hints

import msgspec

from kernel.personal import PersonalMarker


Upcasts = Mapping[str, tuple[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]]

_encode = msgspec.json.Encoder().encode


def _is_personal(hint: Any) -> bool:
    return any(isinstance(extra, PersonalMarker) for extra in getattr(hint, "__metadata__", ()))


def _hides_personal(hint: Any) -> bool:
    """Whether a clear field holds something personal deeper inside, which would not be sealed."""
    if dataclasses.is_dataclass(hint):
        inner = get_type_hints(hint, include_extras=True).values()
        return any(_is_personal(each) or _hides_personal(each) for each in inner)
    return any(_hides_personal(each) for each in get_args(hint))


class UnknownFactError(LookupError):
    """A fact in the log or in a command is not in the catalog of this version."""


class FactCodec:
    """One kind of fact to bytes and back."""

    def __init__(self, name: str, kind: type) -> None:
        """Find the personal fields; each needs a default, which is read once its key is gone."""
        self.name = name
        self.kind = kind
        hints = get_type_hints(kind, include_extras=True)
        fields = dataclasses.fields(kind)
        personal = [field for field in fields if _is_personal(hints[field.name])]
        for field in personal:
            if field.default is field.default_factory is dataclasses.MISSING:
                raise TypeError(f"{name}: the personal field {field.name} needs a default")
        for field in fields:
            if field not in personal and _hides_personal(hints[field.name]):
                raise TypeError(f"{name}: mark {field.name} itself as personal, not its inside")
        self.personal = tuple(field.name for field in personal)
        self._defaults = {field.name: _default(field) for field in personal}
        clear = [field.name for field in fields if field not in personal]
        self._clear_names = clear
        self._clear_values = attrgetter(*clear)
        self._decode: Callable[[bytes], Any] = msgspec.json.Decoder(kind).decode
        self._decode_personal = msgspec.json.Decoder(
            msgspec.defstruct(
                f"{kind.__name__}Personal",
                [(name, hints[name], self._defaults[name]) for name in self.personal],
                kw_only=True,
            )
        ).decode

    def encode(self, fact: Any) -> tuple[bytes, bytes | None]:
        """The clear part and, if anything personal is set, the part to seal."""
        if not self.personal:
            return _encode(fact), None
        values = self._clear_values(fact)
        if len(self._clear_names) == 1:
            values = (values,)
        clear = _encode(dict(zip(self._clear_names, values, strict=True)))
        said = {
            name: value
            for name in self.personal
            if (value := getattr(fact, name)) != self._defaults[name]
        }
        return clear, _encode(said) if said else None

    def decode(self, clear: bytes, personal: bytes | None) -> Any:
        """The fact; without its personal part these fields are their defaults."""
        fact = self._decode(clear)
        if personal is not None:
            opened = self._decode_personal(personal)
            for name in self.personal:
                object.__setattr__(fact, name, getattr(opened, name))
        return fact

    def convert(self, content: Mapping[str, Any]) -> Any:
        """The fact from upcast content."""
        return msgspec.convert(content, self.kind)


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


class Codec:
    """All facts of the catalog."""

    def __init__(self, facts: Mapping[str, type], upcasts: Upcasts) -> None:
        """Take the catalog; an old name that is upcast needs no class of its own."""
        self._by_name = {name: FactCodec(name, kind) for name, kind in facts.items()}
        self._by_kind = {
            codec.kind: codec for name, codec in self._by_name.items() if name not in upcasts
        }
        self._upcasts = upcasts

    def encode(self, fact: Any) -> tuple[str, bytes, bytes | None]:
        """Stored name, clear part, part to seal."""
        codec = self._by_kind.get(type(fact))
        if codec is None:
            raise UnknownFactError(f"{type(fact).__name__} is not in the catalog")
        return codec.name, *codec.encode(fact)

    def decode(self, name: str, clear: bytes, personal: bytes | None) -> Any:
        """The fact in its newest version."""
        if name in self._upcasts:
            return self._upcast(name, clear, personal)
        codec = self._by_name.get(name)
        if codec is None:
            raise UnknownFactError(f"the log holds {name}, which is not in the catalog")
        return codec.decode(clear, personal)

    def kind(self, name: str) -> type:
        """The class of the facts that are read under a name. Raises UnknownFactError."""
        codec = self._by_name.get(name)
        if codec is None:
            raise UnknownFactError(f"the stream holds {name}, which is not in the catalog")
        return codec.kind

    def names(self, kinds: Collection[type]) -> list[str]:
        """All names under which facts of these classes are stored, of older versions too."""
        return [
            name
            for name in (*self._by_name, *self._upcasts)
            if self._by_name[self.newest(name)].kind in kinds
        ]

    def newest(self, name: str) -> str:
        """The name under which a fact stored as ``name`` is read."""
        while name in self._upcasts:
            name = self._upcasts[name][0]
        return name

    def _upcast(self, name: str, clear: bytes, personal: bytes | None) -> Any:
        content: Mapping[str, Any] = msgspec.json.decode(clear)
        if personal is not None:
            content = {**content, **msgspec.json.decode(personal)}
        while name in self._upcasts:
            name, upcast = self._upcasts[name]
            content = upcast(content)
        return self._by_name[name].convert(content)
