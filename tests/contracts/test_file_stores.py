"""What every store of files promises, in a folder and in a bucket."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import boto3
import httpx
import pytest
from moto.server import ThreadedMotoServer

from adapters.files.bucket import Bucket, BucketFiles
from adapters.files.disk import DiskFiles
from kernel.file_keys import Area, FileKey
from kernel.ports.files import FileTooLarge
from kernel.tenant import Environment, Tenant


pytestmark = pytest.mark.anyio

TENANT = Tenant(UUID(int=1), "default", b"secret", Environment.SANDBOX)
OTHER = Tenant(UUID(int=2), "other", b"another secret", Environment.SANDBOX)


class InFolder:
    """Uploads go straight to the store: the pages that take them have tests of their own."""

    def __init__(self, root):
        self.store = DiskFiles(root, "http://pages.example")

    async def upload(self, tenant, key, content):
        async def pieces():
            yield content

        ticket = self.store.ticket(tenant, key, "text/plain", datetime.now(UTC))
        assert self.store.claimed(ticket.fields) == tenant.organization
        assert self.store.allowed(tenant, ticket.fields, datetime.now(UTC)) == key
        await self.store.receive(tenant, key, pieces())

    async def content(self, tenant, key):
        url = httpx.URL(self.store.link(tenant, key, datetime.now(UTC)))
        path = self.store.readable(
            tenant,
            key,
            until=url.params.get("until", ""),
            signed=url.params.get("signature", ""),
            now=datetime.now(UTC),
        )
        return None if path is None else path.read_bytes()


class InBucket:
    """A browser's way: the form to the bucket, the link to the bucket."""

    def __init__(self, endpoint):
        self.store = BucketFiles(Bucket("files", endpoint, "us-east-1"))

    async def upload(self, tenant, key, content):
        ticket = self.store.ticket(tenant, key, "text/plain", datetime.now(UTC))
        async with httpx.AsyncClient(timeout=60) as client:
            answer = await client.post(
                ticket.url, data=dict(ticket.fields), files={"file": ("name", content)}
            )
        assert answer.status_code == 204, answer.text

    async def content(self, tenant, key):
        async with httpx.AsyncClient(timeout=60) as client:
            answer = await client.get(self.store.link(tenant, key, datetime.now(UTC)))
        return answer.content if answer.status_code == 200 else None


@pytest.fixture
def bucket(monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://127.0.0.1:{port}" if host == "0.0.0.0" else f"http://{host}:{port}"
    boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1").create_bucket(Bucket="files")
    yield InBucket(endpoint)
    server.stop()


@pytest.fixture(params=["folder", "bucket"])
def place(request, tmp_path):
    return InFolder(tmp_path) if request.param == "folder" else request.getfixturevalue("bucket")


def upload_key(name="handbook.txt"):
    return FileKey(Area.TEMPORARY, uuid4(), name)


async def test_what_is_uploaded_and_kept_is_read_through_a_link(place):
    key = upload_key()
    await place.upload(TENANT, key, b"read me")
    assert await place.store.keep(TENANT, key, key.moved(Area.FILES))
    assert await place.content(TENANT, key.moved(Area.FILES)) == b"read me"


async def test_a_public_file_is_where_the_store_says(place):
    """A page may show it only if its policy names where the link ends."""
    link = place.store.link(TENANT, upload_key("a.png").moved(Area.PUBLIC), datetime.now(UTC))
    url = httpx.URL(link)
    ends = f"{url.scheme}://{url.netloc.decode()}"
    assert place.store.origins() == (() if ends == "http://pages.example" else (ends,))


async def test_keeping_twice_is_fine(place):
    key = upload_key()
    await place.upload(TENANT, key, b"read me")
    for _ in range(2):
        assert await place.store.keep(TENANT, key, key.moved(Area.PUBLIC))
    assert await place.content(TENANT, key.moved(Area.PUBLIC)) == b"read me"


async def test_what_is_kept_is_not_replaced_by_a_later_upload_with_its_ticket(place):
    key = upload_key()
    for content in (b"as sold", b"something else"):
        await place.upload(TENANT, key, content)
        assert await place.store.keep(TENANT, key, key.moved(Area.FILES))
    assert await place.content(TENANT, key.moved(Area.FILES)) == b"as sold"
    assert await place.content(TENANT, key) is None


async def test_more_than_a_ticket_allows_is_refused_and_leaves_nothing(tmp_path):
    place, key = InFolder(tmp_path), upload_key()
    place.store = DiskFiles(tmp_path, "http://pages.example", most_bytes=7)
    with pytest.raises(FileTooLarge):
        await place.upload(TENANT, key, b"8 bytes!")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    await place.upload(TENANT, key, b"7 bytes")
    assert await place.store.keep(TENANT, key, key.moved(Area.FILES))


async def test_what_was_never_uploaded_cannot_be_kept(place):
    key = upload_key()
    assert not await place.store.keep(TENANT, key, key.moved(Area.FILES))


async def test_an_upload_belongs_to_its_organization(place):
    key = upload_key()
    await place.upload(TENANT, key, b"mine")
    assert not await place.store.keep(OTHER, key, key.moved(Area.FILES))
    assert await place.store.keep(TENANT, key, key.moved(Area.FILES))
    assert await place.content(OTHER, key.moved(Area.FILES)) is None


async def test_a_file_keeps_its_odd_name(place):
    key = upload_key("Überblick & “Preise” 100%.txt")
    await place.upload(TENANT, key, b"odd")
    assert await place.store.keep(TENANT, key, key.moved(Area.FILES))
    assert await place.content(TENANT, key.moved(Area.FILES)) == b"odd"
