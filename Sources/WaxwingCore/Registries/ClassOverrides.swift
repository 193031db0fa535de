// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingReflection

/// The overrides of one session by the classes for which they are and which a patch has made. The
/// overrides of a class's superclasses are found once for all of its subclasses.
struct ClassOverrides {
  /// The overrides of one class at one place of the vtable. Unchecked: not changed any more when
  /// the lines of classes are made.
  final class Place: @unchecked Sendable {
    let luaClass: LuaClass
    fileprivate(set) var overrides: [Override] = []
    /// The overrides of the nearest superclass at this place.
    let above: Place?

    fileprivate init(_ luaClass: LuaClass, above: Place?) {
      self.luaClass = luaClass
      self.above = above
    }
  }

  private typealias Line = [Int: Place]

  /// The overrides by the class that the script gives them to.
  private var own: [ObjectIdentifier: [Override]] = [:]
  /// The witnesses of classes that the patch makes, by the class's name.
  private var witnesses: [String: [Override]] = [:]
  private var lines: [ObjectIdentifier: Line] = [:]

  init(_ overrides: [Override]) {
    for override in overrides {
      if let witness = override.function.witness {
        if witness.isOfMadeClass { witnesses[witness.typeName, default: []].append(override) }
      } else if let target = override.target, target.offset != nil {
        own[ObjectIdentifier(target.luaClass), default: []].append(override)
      }
    }
  }

  /// The witnesses of a class that the patch has made.
  func witnesses(of made: LuaClass) -> [Override] {
    witnesses.isEmpty ? [] : witnesses[made.qualifiedName] ?? []
  }

  /// The overrides that concern a class, its own and its superclasses': for each place of its
  /// vtable the nearest.
  mutating func inVtable(of made: LuaClass) -> [Place] { Array(line(of: made).values) }

  private mutating func line(of made: LuaClass) -> Line {
    if own.isEmpty { return [:] }
    var pending: [LuaClass] = []
    var next: LuaClass? = made
    while let current = next, lines[ObjectIdentifier(current)] == nil {
      pending.append(current)
      next = current.parent
    }
    LuaClasses.count(visits: pending.count + 1)
    var line = next.flatMap { lines[ObjectIdentifier($0)] } ?? [:]
    for current in pending.reversed() {
      for override in own[ObjectIdentifier(current)] ?? [] {
        guard let offset = override.target?.offset else { continue }
        if line[offset]?.luaClass !== current {
          line[offset] = Place(current, above: line[offset])
        }
        line[offset]?.overrides.append(override)
      }
      lines[ObjectIdentifier(current)] = line
    }
    return line
  }
}
