// SPDX-License-Identifier: MIT

import Synchronization

/// What is not to be asked to show something that it is part of.
public final class SpecimenKey: Hashable, CustomStringConvertible, CustomReflectable {
  /// How often one was asked for anything since `isShown` was set.
  public static let asked = Atomic(0)

  public static func == (a: SpecimenKey, b: SpecimenKey) -> Bool { a === b }

  public init() {}

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  public var description: String {
    Self.asked.add(1, ordering: .relaxed)
    return "asked"
  }

  public var customMirror: Mirror {
    Self.asked.add(1, ordering: .relaxed)
    return Mirror(self, children: [])
  }
}

/// A struct whose description reads by way of a reference.
public struct SpecimenTag: CustomStringConvertible {
  let key = SpecimenKey()
  let name: String

  public var description: String { key.description }
}

/// A struct without references, whose description may be asked for.
public struct SpecimenSize: CustomStringConvertible {
  let number = 3

  public var description: String { "\(number) mm" }
}

public enum SpecimenLabel {
  case plain(x: Int)
  case several(AnyObject, [AnyObject])
  indirect case boxed(SpecimenLabel)
  case none
}

public final class SpecimenError: Error, CustomStringConvertible, @unchecked Sendable {
  let code = 7
  var changes = 0

  public var description: String { SpecimenKey().description }
}

public enum SpecimenFailure: Error, CustomStringConvertible {
  case plain(Int)

  public var description: String { "a plain error: 7" }
}

public enum SpecimenProblem: Error, CustomStringConvertible {
  case about(Specimen)

  public var description: String { SpecimenKey().description }
}

/// An object with constants of many kinds.
public final class Specimen: @unchecked Sendable {
  let label = SpecimenLabel.boxed(.several(SpecimenKey(), [SpecimenKey()]))
  let guarded = Mutex([1: 1])
  let keys = [SpecimenKey(): 1]
  let run: @Sendable () -> Void = {}
  let error: any Error = SpecimenError()
  let tag = SpecimenTag(name: "t")
  let size = SpecimenSize()
  let kind: Any.Type = SpecimenKey.self
  let any: Any = SpecimenTag(name: "a")
  let hashable = AnyHashable(SpecimenKey())
  weak let keeper: SpecimenKey? = nil
  var changes = [Int: Int]()

  public init() {}

  public func describe(_ label: SpecimenLabel) -> String { "baseline" }

  public func failure(_ number: Int) -> String { (try? fail(number)) ?? "baseline" }

  func fail(_ number: Int) throws -> String {
    switch number {
    case 0: throw SpecimenFailure.plain(7)
    case 1: throw SpecimenError()
    default: throw SpecimenProblem.about(self)
    }
  }
}
