// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// The values that the proxies of one Lua state hold at one moment.
package struct HeldValues: Sendable {
  /// Objects by class, the dynamic one: `["Bank.Account": 3]`.
  package private(set) var objects: [String: Int] = [:]
  /// Copies of structs and enums by type.
  package private(set) var values: [String: Int] = [:]
  /// The number of Swift errors.
  package private(set) var errors = 0

  init() {}

  /// The sum of these values and those that another state holds.
  func adding(_ other: HeldValues) -> HeldValues {
    var sum = self
    sum.objects.merge(other.objects) { $0 + $1 }
    sum.values.merge(other.values) { $0 + $1 }
    sum.errors += other.errors
    return sum
  }

  /// May be asked on any thread; the state must not be closed meanwhile.
  init(_ state: LuaState) {
    for tally in state.tallies() {
      guard let type = tally.type else {
        if tally.kind == WAX_PROXY_KIND_ERROR { errors += tally.count }
        continue
      }
      let swiftType = TypeMetadata.type(at: type)
      let name = TypeName.short(swiftType)
      if TypeMetadata.kind(of: swiftType) == .class {
        objects[name, default: 0] += tally.count
      } else {
        values[name, default: 0] += tally.count
      }
    }
  }
}
