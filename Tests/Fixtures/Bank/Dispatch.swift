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
  public struct Corner { public var x: Int; public var y: Int }
  public var near: Corner
  public var far: Corner
}

public func inspectLetter(_ letter: Letter) -> String { "baseline" }
