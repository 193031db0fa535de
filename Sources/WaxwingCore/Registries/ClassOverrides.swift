// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingReflection

/// The overrides of one session by the classes of Lua's that they are for. What a class has of those
/// above it is found once for all classes below.
struct ClassOverrides {
  /// Those with a place in the vtable, that the script has given to a class or to one above it.
  private struct Line {
    /// Of the highest class first.
    var all: [Override] = []
    /// One for each place.
    var places: [Int: Override] = [:]
  }

  /// By the class that the script gives them to.
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

  /// Those that go on for objects of a class: its own and those of the classes above it.
  mutating func goingOn(for made: LuaClass) -> [Override] {
    let witnesses = witnesses.isEmpty ? [] : witnesses[made.qualifiedName] ?? []
    return line(of: made).all + witnesses
  }

  /// Of those that concern a class, one for each place of its vtable.
  mutating func inVtable(of made: LuaClass) -> [Override] { Array(line(of: made).places.values) }

  private mutating func line(of made: LuaClass) -> Line {
    if own.isEmpty { return Line() }
    var pending: [LuaClass] = []
    var next: LuaClass? = made
    while let current = next, lines[ObjectIdentifier(current)] == nil {
      pending.append(current)
      next = current.parent
    }
    LuaClasses.count(visits: pending.count + 1)
    var line = next.flatMap { lines[ObjectIdentifier($0)] } ?? Line()
    for current in pending.reversed() {
      for override in own[ObjectIdentifier(current)] ?? [] {
        line.all.append(override)
        if let offset = override.target?.offset { line.places[offset] = override }
      }
      lines[ObjectIdentifier(current)] = line
    }
    return line
  }
}
