// SPDX-License-Identifier: MIT

/// A file of a script.
package struct ScriptSource: Sendable {
  /// `overdraft.lua`; modules of a folder by their path in it.
  let name: String
  /// The name of the module for `require`: `rules.limits`.
  let module: String
  let text: [UInt8]

  package init(name: String, module: String, text: [UInt8]) {
    self.name = name
    self.module = module
    self.text = text
  }
}
