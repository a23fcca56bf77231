# FastMCP's proxy before a server over HTTP.
import os, sys
from fastmcp.server import create_proxy

create_proxy(sys.argv[1], name="proxy").run(
    transport="http", host="127.0.0.1", port=int(os.environ["PORT"]), path="/mcp", show_banner=False
)
