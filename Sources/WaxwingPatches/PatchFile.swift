// SPDX-License-Identifier: MIT

/// One Lua file of a patch, as bytes.
package struct PatchFile: Hashable, Sendable {
  /// The path inside the patch: `overdraft.lua`, or `overdraft/main.lua`, `overdraft/rates/eur.lua`
  /// for a patch that is a folder. It is also the chunk name that errors and tracebacks show.
  package let name: String

  /// The text of the file in UTF-8.
  package let bytes: [UInt8]

  /// Creates a file; nothing is checked here.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The name of this file for `require`: `overdraft/rates/eur.lua` is `rates.eur`.
  package var moduleName: String {
    let path = name.hasSuffix(".lua") ? name.dropLast(4) : name[...]
    let parts = path.split(separator: "/")
    return (parts.count > 1 ? parts.dropFirst() : parts[...]).joined(separator: ".")
  }
}
