// SPDX-License-Identifier: MIT

/// A protocol that is not class-bound, as an existential's type.
public protocol Signed {
  var signature: String { get }
}

/// Stored properties that a subclass overrides.
open class Letter: Signed {
  open var title: String
  public private(set) var changes = 0
  public var signature: String { "signed " + title }

  public init(title: String) { self.title = title }

  public func asSigned() -> any Signed { self }
  public func corners(of boxes: [Corners]) -> Int { boxes.count }
  func noteChange() { changes += 1 }
}

public final class OpenLetter: Letter {
  public override var title: String {
    get { "open " + super.title }
    set { super.title = newValue + "!" }
  }
}

public final class ObservedLetter: Letter {
  public override var title: String { didSet { noteChange() } }
}

public struct Corners {
  public struct Corner {
    public var x: Int
    public var y: Int
  }
  public var near: Corner
  public var far: Corner
}

public func inspectLetter(_ letter: Letter) -> String { "baseline" }

/// RemovedFixture adds a method to it.
public final class SealedLetter {
  public init() {}
}

public func inspectSealed(_ letter: SealedLetter) -> String { "baseline" }

/// Errors with members.
public enum PostError: Error, Equatable {
  case lost(days: Int)
  case refused

  public var isFinal: Bool { self == .refused }
  public func text(_ prefix: String) -> String { "\(prefix) \(self)" }
}

public final class PostObjectError: Error {
  public let code = 7
  public init() {}
}

public final class PostOffice {
  public init() {}
  public func send(_ days: Int) throws -> Int {
    switch days {
    case ..<0: throw PostObjectError()
    case 0: throw PostError.refused
    default: throw PostError.lost(days: days)
    }
  }
  public func days(of error: PostError) -> Int {
    if case .lost(let days) = error { days } else { 0 }
  }
  public func inspect() -> String { "baseline" }
}

/// Values behind protocols, in all the places where one can be.
public struct SignedSlip: Signed {
  public var signature: String
}

public final class Folder {
  public var top: any Signed = SignedSlip(signature: "t")
  public var more: [any Signed] = [SignedSlip(signature: "m"), Letter(title: "l")]
  public var byName: [String: any Signed] = ["a": SignedSlip(signature: "d")]
  public var optional: (any Signed)? = SignedSlip(signature: "o")
  public init() {}
  public func inspect() -> String { "baseline" }
}
