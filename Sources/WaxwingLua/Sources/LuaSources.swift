// SPDX-License-Identifier: MIT

internal import CWaxwingLuaSources

/// The engine's Lua code: the files of the folder `lua`, which its C target embeds.
package enum LuaSources {
  package static var prelude: [UInt8] { file("waxwing/prelude") }
  package static var advice: [UInt8] { file("waxwing/advice") }
  package static var coroutines: [UInt8] { file("waxwing/coroutines") }
  package static var async: [UInt8] { file("waxwing/async") }
  package static var classes: [UInt8] { file("waxwing/classes") }
  package static var conform: [UInt8] { file("waxwing/conform") }
  package static var describe: [UInt8] { file("waxwing/describe") }
  package static var patching: [UInt8] { file("waxwing/patching") }
  package static var captured: [UInt8] { file("waxwing/captured") }
  package static var listing: [UInt8] { file("waxwing/listing") }
  package static var selection: [UInt8] { file("waxwing/selection") }
  package static var shell: [UInt8] { file("waxwing/shell") }

  /// The code with which `waxwing debug` reads calls that have stopped.
  package static var debug: [UInt8] { file("tools/debug") }

  /// The module that the patches of `waxwing trace` require.
  package static var trace: [UInt8] { file("tools/trace") }

  /// The module that the patches of `waxwing record` require.
  package static var record: [UInt8] { file("tools/record") }

  /// The module that the patches of `waxwing instances` require.
  package static var instances: [UInt8] { file("tools/instances") }

  /// The module that the tests of a patch require as `waxwing.test`.
  package static var test: [UInt8] { file("tools/test") }

  /// Definitions of the prelude's globals for lua-language-server.
  package static var globals: [UInt8] { file("meta/globals") }

  /// The names of the modules that `require` finds besides a patch's own, in alphabetical order.
  package static let libraryNames: [String] = unsafe files.keys
    .filter { $0.hasPrefix(libraryFolder) }
    .map { String($0.dropFirst(libraryFolder.count)) }
    .sorted()

  /// The source of a module of the library.
  /// - Parameter name: One of `libraryNames`.
  /// - Returns: Its bytes; nil if the library has no such module.
  package static func libraryModule(named name: String) -> [UInt8]? {
    unsafe files[libraryFolder + name].map { unsafe Array($0) }
  }

  private static let libraryFolder = "library/"

  /// Unchecked: constants of the program.
  nonisolated(unsafe) private static let files: [String: UnsafeBufferPointer<UInt8>] = {
    var count = 0
    let files = unsafe UnsafeBufferPointer(start: wax_embedded_files(&count), count: count)
    return unsafe Dictionary(
      uniqueKeysWithValues: files.map {
        unsafe (String(cString: $0.name), UnsafeBufferPointer(start: $0.bytes, count: $0.count))
      })
  }()

  private static func file(_ name: String) -> [UInt8] {
    guard let bytes = unsafe files[name] else {
      preconditionFailure("lua/sources.c does not embed \(name).lua")
    }
    return unsafe Array(bytes)
  }
}
