"""The base of all models."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict
from pydantic_core import PydanticSerializationError

Json: TypeAlias = dict[str, Any]


class Schema(BaseModel):
    """An immutable model, without fields that it does not declare."""

    model_config = ConfigDict(
        allow_inf_nan=False,
        extra="forbid",
        frozen=True,
        json_schema_serialization_defaults_required=True,
        use_attribute_docstrings=True,
    )

    def to_dict(self) -> Json:
        """Return the model as JSON-ready data."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """Return the model as JSON text in ASCII."""
        try:
            return self.model_dump_json(ensure_ascii=True)
        except PydanticSerializationError:
            # Pydantic writes no half of a surrogate pair, which a client's text may contain.
            return json.dumps(self.model_dump(), allow_nan=False, separators=(",", ":"))


def joined_json(*parts: Schema) -> str:
    """Return the fields of several models as one object, as JSON text."""
    return "{" + ",".join(part.to_json()[1:-1] for part in parts) + "}"
