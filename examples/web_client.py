"""Plays tic-tac-toe against ``random`` on a running Tengen server, by its HTTP interface (docs/web.md).

Start one with ``tengen serve --no-browser``, and then ``python examples/web_client.py http://127.0.0.1:8000``.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from tengen import Board, player


class Client:
    """Somebody at a table of the server at `address`."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.token = ""

    def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """What the server answers to GET, or to POST where there is a body."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.address + path, data, headers)) as answer:
            found: dict[str, Any] = json.load(answer)
        return found


def main(address: str) -> None:
    """Play a game to its end, and print it."""
    client = Client(address.rstrip("/"))
    game = client.ask("/api/games", {"rules": "tictactoe", "black": "human", "white": "random"})
    client.token, path, state = game["seats"]["black"], f"/api/games/{game['id']}", game["state"]
    adviser = player("minimax")
    while state["outcome"] is None:
        if state["actor"] == 1:
            board = Board.from_moves(state["moves"], rules="tictactoe")
            point = board.name(adviser.choose(board).point)
            state = client.ask(f"{path}/moves", {"point": point, "ply": state["ply"]})
        else:
            # A client that stays for longer listens on the WebSocket instead.
            time.sleep(0.05)
            state = client.ask(path)
    print(Board.from_moves(state["moves"], rules="tictactoe"))
    print("winner:", state["outcome"]["winner"])


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
    except URLError as error:
        sys.exit(f"{error}: is there a server? Start one with: tengen serve --no-browser")
