"""The merchant's own site: whatever is asked, it says what it was asked."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Page(BaseHTTPRequestHandler):
    def do_GET(self):
        referer = self.headers.get("Referer", "nobody")
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        link = '<link rel="icon" href="data:,">'
        self.wfile.write(f"{link}<h1>Shop {self.path}</h1><p>sent by {referer}</p>".encode())

    def log_message(self, *_):
        """Say nothing."""


@contextmanager
def open_shop():
    """Its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
