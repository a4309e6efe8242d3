"""What an engine serves: the APIs and the hosted pages, for who serves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.types import ASGIApp

from adapters.countries import TableOfCountries
from adapters.payments.simulated import SimulatedProvider
from pages.app import create_app as create_pages_app
from pages.surroundings import PageServices
from read_api.app import ROUTERS as READ_ROUTERS
from read_api.app import ReadServices
from read_api.app import create_app as create_read_app
from read_api.downloads import Downloads
from read_api.edge import create_app as create_edge_app
from wire.http.caller import Keys
from wire.http.routes import RouteTable, TrailingSlash
from wire.http.split import SplitByMethod
from write_api.app import ROUTERS as WRITE_ROUTERS
from write_api.app import create_app as create_write_app
from write_api.write import WriteServices


if TYPE_CHECKING:
    from app.wiring import Engine


def core_app(engine: Engine, keys: Keys) -> ASGIApp:
    """The core API under one address."""
    read, write = core_apps(engine, keys)
    return TrailingSlash(SplitByMethod(read=read, write=write))


def edge_app(engine: Engine, keys: Keys) -> ASGIApp:
    """The edge API."""
    edge = create_edge_app(engine.reader, keys)
    edge.state.rate_limits = engine.place.rate_limits()
    edge.state.visitors = engine.visitors
    return TrailingSlash(edge)


def pages_app(engine: Engine) -> ASGIApp:
    """The hosted pages."""
    pages = create_pages_app(
        PageServices(
            bus=engine.bus,
            reader=engine.reader,
            tenants=engine.tenants,
            payments=engine.payments,
            bank=engine.payments if isinstance(engine.payments, SimulatedProvider) else None,
            typesetter=engine.typesetter,
            files=engine.files,
        )
    )
    pages.state.visitors = engine.visitors
    return pages


def core_apps(engine: Engine, keys: Keys) -> tuple[FastAPI, FastAPI]:
    """The read API and the write API; each knows the other's routes."""
    asked = ReadServices(
        reader=engine.reader,
        log=engine.store,
        feed=engine.feed,
        typesetter=engine.typesetter,
        downloads=Downloads(engine.tenants, engine.files),
    )
    read = create_read_app(asked, keys)
    services = WriteServices(
        engine.bus,
        engine.reader,
        engine.store.answers,
        set(),
        engine.payments,
        engine.files,
        engine.place.webhook_targets,
        TableOfCountries(),
    )
    write = create_write_app(services, keys)
    read.state.route_table = write.state.route_table = RouteTable.of(*READ_ROUTERS, *WRITE_ROUTERS)
    read.state.rate_limits = write.state.rate_limits = engine.place.rate_limits()
    read.state.visitors = write.state.visitors = engine.visitors
    return read, write
