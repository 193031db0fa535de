// SPDX-License-Identifier: MIT

/// Three classes, each with its own say.
open class Clerk {
  public var log = ""
  public init() {}
  open var grade: String { "clerk" }
  open func info() -> String { "Clerk" }
  open func duty() -> String { "files" }
  /// Calls what subclasses override.
  open func report() -> String { info() + " " + duty() }
  open class func rank() -> String { "one" }
}

open class Teller: Clerk {
  open override var grade: String { "teller " + super.grade }
  open override func info() -> String { "Teller" }
  open override func report() -> String { "teller: " + super.report() }
}

public final class ChiefTeller: Teller {
  public override func info() -> String { "Chief" }
  public override func duty() -> String { "leads" }
}

public func inspectClerk(_ clerk: Clerk) -> String { "baseline" }
