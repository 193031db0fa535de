// SPDX-License-Identifier: MIT

/// The outline of one file of a patch: the types and modules that it names, its overrides, the
/// originals that it calls, and its globals. The file has not run, so only things that it states
/// directly can be told: a type in a local variable that is never assigned again, a name that is a
/// constant.
package struct PatchOutline {
  /// The owner of a function.
  package enum Owner: Hashable, Sendable {
    /// The argument of `class`.
    case type(String)
    /// The argument of `module`.
    case module(String)
    /// A global variable that the patch does not assign, which is a type or a module.
    case global(String)
    /// `Name.Member`: a type, if there is one of that name.
    case member(String)

    package var name: String {
      switch self {
      case .type(let name), .module(let name), .global(let name), .member(let name): name
      }
    }
  }

  package enum Accessor: String, Sendable { case get, set, willSet, didSet }

  /// The target that functions are assigned to: a type object, and the part of it.
  package struct Target: Hashable, Sendable {
    package let owner: Owner
    package var isStatic = false
    package var accessor: Accessor?
    /// Whether `patching` gave it: then its parts are ours, whatever members the program has.
    var isPatching = false
    /// The parts that were looked up where members of the program's come first.
    package var open: Set<String> = []
  }

  /// `class "…"`, `module "…"`, `waxClass{"…"}`
  package struct OwnerUse: Sendable {
    package let owner: Owner
    package let place: TextPlace
    /// Whether the script goes on if there is none: it is in `pcall`, or waits for a module.
    package let isOptional: Bool
  }

  /// A function that the patch overrides or advises.
  package struct Override {
    package enum Kind: String, Sendable { case override, before, after, instead }

    package let target: Target
    package let kind: Kind
    package let name: String
    /// The place of the name.
    let place: TextPlace
    /// The function that is assigned; nil if the text does not contain it directly.
    package let function: LuaFunction?
    let isOptional: Bool
  }

  /// A call of an original, or a mention of it.
  package struct Original {
    let target: Target
    /// The name after `ORIG`; nil for `original(…)`, the original of the surrounding override.
    package let name: String?
    let place: TextPlace
    /// How many values are passed, without `self`; nil: that cannot be told.
    package let argumentCount: Int?
    /// The expressions of the arguments, without `self`.
    let arguments: [LuaExpression]
    /// The override that it is in.
    package let override: Int?
    let isOptional: Bool
  }

  /// A value of which the program's names may tell the type. Overrides are meant by their numbers.
  package indirect enum Value: Sendable {
    /// The receiver of an override.
    case receiver(override: Int)
    /// An argument of an override, counted from 0; `self` does not count.
    case argument(Int, override: Int)
    case property(Value, String)
    /// The result of a method.
    case result(Value, String)
    /// The result of the original of an override.
    case original(override: Int)
  }

  /// A variable of the closure that an override is of: `captured.limit`.
  struct CapturedUse {
    let name: String
    let place: TextPlace
    /// The override that it is in; nil: it is in none.
    let override: Int?
    let isAssigned: Bool
    let isOptional: Bool
  }

  /// A member of such a value: `self.balance`, `account:title()`.
  package struct MemberUse {
    let value: Value
    let name: String
    let place: TextPlace
    /// The arguments of a method call, without `self`; nil if the member is not called as a method.
    let arguments: [LuaExpression]?
    /// The expression that is assigned to the member; nil if there is none, or if it is one of
    /// several values that a call returns.
    let assigned: LuaExpression?
    let isOptional: Bool
  }

  /// A call of a static member or a free function: `Account.make(owner)`, `Bank.fee(100)`.
  package struct OwnerCall {
    let target: Target
    let name: String
    let place: TextPlace
    let isOptional: Bool
  }

  package struct GlobalUse: Sendable {
    package let name: String
    package let place: TextPlace
  }

  package internal(set) var owners: [OwnerUse] = []
  package internal(set) var overrides: [Override] = []
  package internal(set) var originals: [Original] = []
  var members: [MemberUse] = []
  var captured: [CapturedUse] = []
  var ownerCalls: [OwnerCall] = []
  /// Calls of `pcall` and `xpcall` in overrides with functions, made for the call, that call an original.
  var protectedOriginals: [TextPlace] = []
  /// The globals that are read, in the order of the text.
  package internal(set) var reads: [GlobalUse] = []
  /// The functions that the file adds to `string`, and so to every string.
  var stringFunctions: Set<String> = []
  /// The globals that something is assigned to.
  package internal(set) var assigned: Set<String> = []
  /// Whether there may be globals that the text does not name: it has the table of globals in
  /// hand, or calls `globals` of a library.
  package internal(set) var makesGlobals = false

  /// Whether the patch may add methods to types, under any names.
  var addsMethods = false

  package init(_ chunk: LuaChunk) {
    var reader = OutlineReader(chunk)
    reader.read(chunk.statements)
    self = reader.outline
  }

  init() {}
}
