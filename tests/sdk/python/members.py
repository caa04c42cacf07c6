"""Every member and every kind in the request types of the official SDKs is classed in the spec.

Prints a line for each request object; names what nobody has classed.
"""

import importlib
import json
import os
import typing

PACKAGES = {"openai": "openai.types", "anthropic": "anthropic.types", "google-genai": "google.genai.types"}

with open(os.environ["RESOLVED"], encoding="utf-8") as file:
    OBJECTS = json.load(file)["request_objects"]


def named(text):
    """The type that `package: module.Type` names."""
    package, path = text.split(": ")
    *modules, name = path.split(".")
    return getattr(importlib.import_module(".".join([PACKAGES[package], *modules])), name)


def is_dict(of):
    return isinstance(of, type) and issubclass(of, dict) and hasattr(of, "__total__")


def is_model(of):
    return isinstance(of, type) and hasattr(of, "model_fields")


def members(of):
    """Names of the members of a type, each with what it holds."""
    if is_model(of):
        return {field.alias or name: field.annotation for name, field in of.model_fields.items()}
    return typing.get_type_hints(of)


def inner(hint):
    """The object types in a hint."""
    if is_dict(hint) or is_model(hint):
        return [hint]
    args = [arg for arg in typing.get_args(hint) if not isinstance(arg, (str, int))]
    return [found for arg in args for found in inner(arg)]


def words(hint):
    """The texts that a hint allows."""
    if typing.get_origin(hint) is typing.Literal:
        return [word for word in typing.get_args(hint) if isinstance(word, str)]
    return [word for arg in typing.get_args(hint) if not isinstance(arg, (str, int)) for word in words(arg)]


def knows_kind(kinds, kind):
    stars = [name[:-1] for name in kinds if name.endswith("*")]
    return kind in kinds or any(kind.startswith(start) for start in stars)


def walk(name, of, missing, seen):
    if (name, of) in seen:
        return
    seen.add((name, of))
    request_object = OBJECTS[name]
    kind_in = request_object.get("kind_in")
    for member, hint in members(of).items():
        known = request_object["members"].get(member)
        if known is None:
            missing.add(f"{name}: member {member} of {of.__name__}")
            continue
        if member == kind_in:
            kinds = request_object.get("kinds", {})
            missing.update(f"{name}: kind {kind}" for kind in words(hint) if not knows_kind(kinds, kind))
        if isinstance(known, dict) and "holds" in known:
            for held in inner(hint):
                walk(known["holds"], held, missing, seen)


looked = 0
for name, request_object in OBJECTS.items():
    for text in request_object.get("sdk", []):
        missing, seen = set(), set()
        walk(name, named(text), missing, seen)
        looked += len(seen)
        if missing:
            print(f"not ok {text}: nobody has classed\n  " + "\n  ".join(sorted(missing)))
        else:
            print(f"ok {text}: {len(seen)} types")
assert looked > 100, looked
