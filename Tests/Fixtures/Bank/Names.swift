// SPDX-License-Identifier: MIT

// What the tests of names look for: members of all kinds, near and far, and types as values.

/// Runs whatever a test lets its `text` do.
public final class NamesProbe {
  public init() {}
  public func text() -> String { "baseline" }
}

public protocol Chartered {
  init(charter: String)
  var charter: String { get }
}

extension Chartered {
  /// A member of the extension alone.
  public func engraved() -> String { "~\(charter)~" }
}

public class Branch: Chartered {
  public let charter: String
  public nonisolated(unsafe) static var opened = 0
  public static let motto: String = ["ad", "astra"].joined(separator: " ")
  public class var rank: String { "branch" }

  public required init(charter: String) { self.charter = charter }

  public convenience init(number: Int) { self.init(charter: "no. \(number)") }

  public static func merge(_ one: Branch, with other: Branch) -> String {
    one.charter + "+" + other.charter
  }

  public class func open(_ charter: String) -> Branch { self.init(charter: charter) }

  public func describe() -> String { "branch " + charter }
  public func kind() -> String { "kind of " + describe() }

  /// Not the module's own.
  public struct Desk {
    public var number: Int
    public static func standard() -> Desk { Desk(number: 7) }
    public init(number: Int) { self.number = number }

    public enum State { case free, taken }
  }

  private func secretly() -> String { "secret " + charter }
  public func keepsSecret() -> String { secretly() }
}

public enum BranchError: Error { case empty }

public final class BranchLicense {
  public let text: String

  public init?(checked text: String) {
    if text.isEmpty { return nil }
    self.text = "checked " + text
  }

  public init(strict text: String) throws {
    if text.isEmpty { throw BranchError.empty }
    self.text = "strict " + text
  }
}

public final class HeadOffice: Branch {
  public override class var rank: String { "head office" }
  public override func describe() -> String { "head office " + charter }
}

extension Branch {
  public func added() -> String { "added to " + charter }
}

extension Branch.Desk {
  public func added() -> Int { number + 100 }
}

extension Int {
  /// A type of the standard library has a member of the program's.
  public func inBranches() -> String { "\(self) branches" }
}

/// Types as arguments, results and parts of values.
public final class BranchRegistry {
  public init() {}

  public func make(_ type: Branch.Type, _ charter: String) -> Branch { type.init(charter: charter) }
  public func makeAny(_ type: any Chartered.Type) -> any Chartered { type.init(charter: "any") }
  public func make(optional type: Branch.Type?) -> String { type.map { "\($0)" } ?? "none" }
  public func name(of type: Any.Type) -> String { "\(type)" }
  public func isBranch(_ type: AnyClass) -> Bool { type is Branch.Type }
  public func thin(_ before: Int, _ type: Branch.Desk.Type, _ after: Int) -> Int {
    before * 10 + after + type.standard().number
  }
  public func optionalThin(_ type: Branch.Desk.Type?) -> Int { type == nil ? 0 : 1 }

  public func type(of branch: Branch) -> Branch.Type { Swift.type(of: branch) }
  public func deskType() -> Branch.Desk.Type { Branch.Desk.self }
  public func optionalDeskType(_ some: Bool) -> Branch.Desk.Type? { some ? Branch.Desk.self : nil }
  public func charteredType() -> any Chartered.Type { HeadOffice.self }
  public func numbersType() -> Any.Type { [Int].self }
  public func types() -> [Any.Type] { [Branch.self, Branch.Desk.self, Int.self] }
  public func anyType() -> Any { HeadOffice.self }
}

public nonisolated(unsafe) var branchLimit = 12
public func branchFee(_ amount: Int) -> Int { amount + branchLimit }

/// Another module has one too.
public struct NamesTwin { public init() {} }
