#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes Sources/CWaxwingABI/library_self_kinds.txt.

A symbol does not tell whether a method of a struct or enum is `mutating` or `consuming`. For Swift's
own libraries the compiler's modules do, and swift-api-digester reads them.
"""

import json
import pathlib
import subprocess
import tempfile

LIBRARIES = {
    "Swift": "libswiftCore.so",
    "_StringProcessing": "libswift_StringProcessing.so",
    "_Concurrency": "libswift_Concurrency.so",
    "Synchronization": "libswiftSynchronization.so",
    "Observation": "libswiftObservation.so",
    "RegexBuilder": "libswiftRegexBuilder.so",
    "Dispatch": "libswiftDispatch.so",
    "FoundationEssentials": "libFoundationEssentials.so",
    "FoundationInternationalization": "libFoundationInternationalization.so",
    "Foundation": "libFoundation.so",
    "FoundationNetworking": "libFoundationNetworking.so",
    "FoundationXML": "libFoundationXML.so",
}


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def resources():
    info = json.loads(output("swiftc", "-print-target-info"))
    return info["paths"]["runtimeResourcePath"], info["target"]["unversionedTriple"]


def exported(library):
    lines = output("nm", "-D", "--defined-only", library).splitlines()
    return {line.split()[-1] for line in lines if line.split()[-2] in "TW"}


def methods(node, is_generic):
    """(symbol, kind) of the functions in a tree of declarations."""
    if node.get("kind") == "TypeDecl":
        is_value = node.get("declKind") in ("Struct", "Enum")
        is_generic = is_value and (is_generic or "genericSig" in node)
    name = node.get("name", "_")
    kind = node.get("funcSelfKind", "")
    if node.get("kind") == "Function" and "mangledName" in node and not node.get("static"):
        if kind in ("__Consuming", "Consuming"):
            yield node["mangledName"], "consuming"
        elif kind == "Mutating" and not name.startswith("_"):
            yield node["mangledName"], "mutating"
        elif is_generic and not name.startswith("_"):
            yield node["mangledName"], "nonmutating"
    for child in node.get("children", []):
        yield from methods(child, is_generic)


def declarations(module, folder, triple):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        output(
            "swift-api-digester", "-dump-sdk", "-module", module, "-o", file.name, "-target",
            triple, "-sdk", "/", "-I", f"{folder}/linux", "-resource-dir", folder)
        return json.load(file)["ABIRoot"]


def main():
    folder, triple = resources()
    kinds = {}
    for module, library in LIBRARIES.items():
        symbols = exported(f"{folder}/linux/{library}")
        for symbol, kind in methods(declarations(module, folder, triple), False):
            if symbol in symbols:
                kinds[symbol] = kind
    compiler = output("swiftc", "--version").splitlines()[0]
    root = pathlib.Path(__file__).resolve().parent.parent
    lines = [f"# Made by scripts/self-kinds.py with {compiler}."]
    lines += [f"{symbol} {kinds[symbol]}" for symbol in sorted(kinds)]
    path = root / "Sources/CWaxwingABI/library_self_kinds.txt"
    path.write_text("\n".join(lines) + "\n")


main()
