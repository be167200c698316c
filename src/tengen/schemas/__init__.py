"""The JSON that crosses a boundary of Tengen: Pydantic models, one file a subject.

The web API and its sockets, ``--json`` of the commands, and the JSON queries of ``tengen analyse --stdin``
send and accept these models and nothing else; the browser's type declarations are made from them
(``make types``). What is stored, such as sessions and game files, has forms of its own, beside the code
that stores it.

Conventions:

- A model of a class of the package has the name of that class with the suffix ``Data``, and is made by a
  class method ``of``: `rules.RulesData.of`. A request of a client has the suffix ``Request``.
- All models derive from `base.Schema`, and are sent as its `base.Schema.to_json` writes them.
- Points are texts (``"h8"``), colours ``"black"`` and ``"white"``, sentences `sentence.Sentence`. Data
  derived from rules stand beside the rules, not in them: `rules.WithRules`.
- An answer has all of its fields, with null where there is nothing, unless a field says that it may be
  left out.
"""

from __future__ import annotations

VERSION = 1
"""The version of all models together.

Within a version a model may get further fields, a message further kinds, a text further values; readers
ignore those that they do not know. A field that is renamed, removed or given another meaning makes a
new version.
"""
