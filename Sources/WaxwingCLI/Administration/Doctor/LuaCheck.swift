// SPDX-License-Identifier: MIT

import Glibc

/// Reports which library of Lua is linked.
enum LuaCheck {
  /// The version that the engine is made for.
  private static let wanted = "Lua 5.4"

  static var diagnoses: [Diagnosis] {
    guard let address = unsafe dlsym(nil, "lua_ident") else {
      return [
        .warning(
          .lua, "the Lua library does not say which version it is",
          remedy: "use the one of the distribution, liblua5.4")
      ]
    }
    // `$LuaVersion: Lua 5.4.4  Copyright …`, a constant of the library.
    let text = unsafe String(cString: address.assumingMemoryBound(to: CChar.self))
    let version =
      text.split(separator: ":", maxSplits: 1).last?.split(separator: "  ").first
      .map { String($0.drop { $0 == " " }) } ?? text
    let place = unsafe file(of: address).map { ", \($0)" } ?? ""
    guard version.hasPrefix(wanted) else {
      return [
        .failure(
          .lua, "\(version)\(place): Waxwing needs \(wanted)", remedy: "install liblua5.4-0")
      ]
    }
    return [.ok(.lua, version + place)]
  }

  /// The file that is mapped where the address is.
  private static func file(of address: UnsafeMutableRawPointer) -> String? {
    let place = UInt(bitPattern: address)
    for line in SystemFile.lines("/proc/self/maps") {
      let words = line.split(separator: " ", maxSplits: 5)
      let ends = words.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      guard words.count == 6, ends.count == 2, ends[0] <= place, place < ends[1] else { continue }
      return String(words[5].drop { $0 == " " })
    }
    return nil
  }
}
