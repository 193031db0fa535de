// SPDX-License-Identifier: MIT

/// The engine's Lua code.
package enum LuaSources {
  package static var prelude: [UInt8] { PackageResources.prelude_lua }
  package static var advice: [UInt8] { PackageResources.advice_lua }
  package static var shell: [UInt8] { PackageResources.shell_lua }
}
