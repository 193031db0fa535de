// SPDX-License-Identifier: MIT

/// The engine's Lua code.
package enum LuaSources {
  package static var prelude: [UInt8] { PackageResources.prelude_lua }
  package static var advice: [UInt8] { PackageResources.advice_lua }
  package static var coroutines: [UInt8] { PackageResources.coroutines_lua }
  package static var async: [UInt8] { PackageResources.async_lua }
  package static var classes: [UInt8] { PackageResources.classes_lua }
  package static var conform: [UInt8] { PackageResources.conform_lua }
  package static var shell: [UInt8] { PackageResources.shell_lua }

  /// What the patches of `waxwing trace` require.
  package static var trace: [UInt8] { PackageResources.trace_lua }

  /// What the tests of a patch require as `waxwing.test`.
  package static var test: [UInt8] { PackageResources.test_lua }

  /// Definitions of the prelude's globals for lua-language-server.
  package static var globals: [UInt8] { PackageResources.globals_lua }

  /// What `require` finds besides a patch's own modules: the files of the folder `library`, by name.
  package static let library: [String: @Sendable () -> [UInt8]] = [
    "aspects": { PackageResources.aspects_lua },
    "base64": { PackageResources.base64_lua },
    "bridge": { PackageResources.bridge_lua },
    "bus": { PackageResources.bus_lua },
    "guard": { PackageResources.guard_lua },
    "inspect": { PackageResources.inspect_lua },
    "jspatch": { PackageResources.jspatch_lua },
    "json": { PackageResources.json_lua },
    "mediator": { PackageResources.mediator_lua },
    "model": { PackageResources.model_lua },
    "notifier": { PackageResources.notifier_lua },
    "router": { PackageResources.router_lua },
    "signal": { PackageResources.signal_lua },
    "text": { PackageResources.text_lua },
    "time": { PackageResources.time_lua },
    "tracker": { PackageResources.tracker_lua },
    "wax": { PackageResources.wax_lua },
    "with": { PackageResources.with_lua },
  ]
}
