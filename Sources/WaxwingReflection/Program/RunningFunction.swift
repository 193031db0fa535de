// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// A function of the running program. Its contents are in memory once, even if it is copied.
package struct RunningFunction: Hashable, Sendable {
  @usableFromInline
  final class Contents: Sendable {
    @usableFromInline let symbol: String
    @usableFromInline let address: UInt
    @usableFromInline let entry: UInt?
    @usableFromInline let isAsync: Bool
    let isRemoved: Bool
    let isReplacement: Bool
    @usableFromInline let declaration: FunctionDeclaration
    let facts: ImageFacts?
    @usableFromInline let witness: Witness?
    let closure: ClosureUse?
    @usableFromInline let enteredCode: EnteredCode?

    init(
      symbol: String, address: UInt, entry: UInt?, isAsync: Bool, isRemoved: Bool,
      isReplacement: Bool, declaration: FunctionDeclaration, facts: ImageFacts?, witness: Witness?,
      closure: ClosureUse?, enteredCode: EnteredCode?
    ) {
      self.symbol = symbol
      self.address = address
      self.entry = entry
      self.isAsync = isAsync
      self.isRemoved = isRemoved
      self.isReplacement = isReplacement
      self.declaration = declaration
      self.facts = facts
      self.witness = witness
      self.closure = closure
      self.enteredCode = enteredCode
    }
  }

  // Its parts are inlined into others' code: who looks at one field copies no other.
  @usableFromInline let contents: Contents

  init(
    symbol: String, address: UInt, entry: UInt?, isAsync: Bool, isRemoved: Bool,
    isReplacement: Bool = false, declaration: FunctionDeclaration, facts: ImageFacts?,
    witness: Witness? = nil, closure: ClosureUse? = nil, enteredCode: EnteredCode? = nil
  ) {
    contents = Contents(
      symbol: symbol, address: address, entry: entry, isAsync: isAsync, isRemoved: isRemoved,
      isReplacement: isReplacement, declaration: declaration, facts: facts, witness: witness,
      closure: closure, enteredCode: enteredCode)
  }

  /// The symbol of the function.
  @inlinable package var symbol: String { contents.symbol }
  /// The address of its code, or of its async function pointer.
  @inlinable package var address: UInt { contents.address }
  /// The address of its replacement entry, or of what is written instead to override it; nil if it cannot be overridden.
  @inlinable package var entry: UInt? { contents.entry }
  /// Whether the function is `async`; accessors can be, too.
  @inlinable package var isAsync: Bool { contents.isAsync }
  /// Whether the optimiser has removed the code, since nothing calls it: what the symbol stands for
  /// ends the program. `_swift_dead_method_stub` in the compiler's lib/IRGen/GenDecl.cpp, Swift 6.3.
  package var isRemoved: Bool { contents.isRemoved }
  /// Whether the function is a `@_dynamicReplacement`: the word of its entry leads from it to the
  /// function that it replaces, and its own calls look at no entry. Its image has a symbol with the
  /// suffix `TI` for it: `DynamicallyReplaceableImpl` in the compiler's lib/Demangling, Swift 6.3.
  package var isReplacement: Bool { contents.isReplacement }
  @inlinable package var declaration: FunctionDeclaration { contents.declaration }
  /// The facts about the function's image beyond symbols and code.
  var facts: ImageFacts? { contents.facts }
  /// Whether facts about the function's image were written down where it was built.
  package var hasWrittenFacts: Bool { facts?.areWritten == true }
  /// The default values of the parameters as the source has them, by index; empty: nothing tells them.
  ///
  /// They were written down for the declaration, which an initializer shares with the part of it that
  /// initializes, and a subscript's accessors share (`mangleEntity`, lib/AST/ASTMangler.cpp, Swift 6.3).
  package var writtenDefaults: [Int: String] {
    guard let facts else { return [:] }
    switch declaration.kind {
    case .allocatingInitializer, .initializer:
      return facts.defaults(of: symbol.dropLast() + "c")
    case .subscriptGetter, .subscriptSetter:
      let isStatic = symbol.hasSuffix("Z")
      return facts.defaults(of: symbol.dropLast(isStatic ? 2 : 1) + (isStatic ? "pZ" : "p"))
    case .function, .operatorFunction: return facts.defaults(of: symbol)
    default: return [:]
    }
  }
  /// Set for a requirement of a protocol that a patch gives to a type: the function is a word of a
  /// witness table then, and no code.
  @inlinable package var witness: Witness? { contents.witness }
  /// Set for a closure, which is overridden where its values lead.
  package var closure: ClosureUse? { contents.closure }
  /// Set for a function that is overridden by rewriting the beginning of its code.
  @inlinable package var enteredCode: EnteredCode? { contents.enteredCode }

  /// Where its code begins; nil: it has none of its own.
  package var codeAddress: UInt? {
    if let enteredCode { return enteredCode.address }
    guard witness == nil else { return nil }
    guard isAsync else { return address }
    // An async function pointer begins with the distance to the code.
    return unsafe UnsafePointer<Int32>(bitPattern: address).map {
      address &+ UInt(bitPattern: Int(unsafe $0.pointee))
    }
  }

  /// A copy of the function with another declaration or entry.
  private func with(_ declaration: FunctionDeclaration, entry: UInt?) -> RunningFunction {
    RunningFunction(
      symbol: symbol, address: address, entry: entry, isAsync: isAsync, isRemoved: isRemoved,
      isReplacement: isReplacement, declaration: declaration, facts: facts, witness: witness,
      closure: closure, enteredCode: enteredCode)
  }

  /// A copy of the function that is overridden by rewriting the beginning of its code.
  package func entered(at code: EnteredCode) -> RunningFunction {
    RunningFunction(
      symbol: symbol, address: address, entry: code.address, isAsync: isAsync, isRemoved: isRemoved,
      isReplacement: isReplacement, declaration: declaration, facts: facts, witness: witness,
      closure: closure, enteredCode: code)
  }

  /// A copy of the function as a `didSet` that takes no old value.
  package func ignoringOldValue() -> RunningFunction {
    var declaration = declaration
    declaration.ignoresOldValue = true
    return with(declaration, entry: entry)
  }

  /// A copy of the function that is overridden by another word than a replacement entry, such as
  /// one of a vtable.
  package func replaced(at word: UInt) -> RunningFunction {
    with(declaration, entry: word)
  }

  /// The beginning of the `modify` coroutine of a getter's property or subscript.
  package var beginningOfModify: RunningFunction {
    with(declaration.beginningOfModify, entry: entry)
  }

  /// What frees the objects of a class: the function behind the metadata's destroyer.
  /// - Parameters:
  ///   - type: A class that is not generic.
  ///   - word: The address of the word in the metadata.
  package init?(destroyerOf type: RunningType, at word: UInt, address: UInt) {
    let symbol = type.symbol + "fD"
    guard let declaration = FunctionDeclaration(symbol: symbol) else { return nil }
    self.init(
      symbol: symbol, address: address, entry: word, isAsync: false, isRemoved: false,
      declaration: declaration, facts: nil)
  }

  /// Whether there is a word that leads its calls: the code of a function with a replacement entry begins as the
  /// compiler lets all of them begin, which tells more about it than its symbol does.
  package var isPatchPoint: Bool { entry != nil && enteredCode == nil }
  /// Whether it can be overridden, by whatever way.
  package var isOverridable: Bool { entry != nil }

  /// Whether both are the same function, which their symbols decide; the rest follows from that.
  package static func == (left: RunningFunction, right: RunningFunction) -> Bool {
    left.address == right.address && left.symbol == right.symbol
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(address)
  }
}

/// The code of a function that has no replacement entry.
package struct EnteredCode: Hashable, Sendable {
  package let address: UInt
  /// In bytes.
  package let size: UInt
  /// Which calls do not see an override of it, as far as the program tells; nil: none.
  package let missed: String?
  /// Whether optimised code that was compiled together with it may call it.
  package let isCalledByOwn: Bool

  package init(address: UInt, size: UInt, missed: String?, isCalledByOwn: Bool) {
    self.address = address
    self.size = size
    self.missed = missed
    self.isCalledByOwn = isCalledByOwn
  }
}

/// How a closure's values are called. Its symbol does not tell it: one that is passed for a parameter of a
/// generic type takes and returns values by address.
package struct ClosureUse: Sendable {
  /// One that values of the closure lead to.
  package struct Pointer: Hashable, Sendable {
    /// Of an async function pointer, or of the code of a closure that is not async.
    package let address: UInt
    /// That code, if the closure is not async.
    package let enteredCode: EnteredCode?

    package init(address: UInt, enteredCode: EnteredCode?) {
      (self.address, self.enteredCode) = (address, enteredCode)
    }
  }

  /// Where all values of the closure lead: to one for each place that makes values, or several.
  package let pointers: [Pointer]
  /// The function that the program passes the closure to; nil: any calls it in one way.
  package let taker: RunningFunction?
  /// The type of that function's parameter, with its generic parameters.
  package let type: FunctionType
  /// Whether values of the closure have a context: what they lead to is a forwarder.
  package let hasContext: Bool
  /// Whether nothing tells that what it has captured is not on its maker's stack.
  package let mayBeOnStack: Bool
  /// What debugging information tells of the closure; nil: nothing.
  package var described: DescribedClosure?

  package init(
    pointers: [Pointer], taker: RunningFunction?, type: FunctionType, hasContext: Bool,
    mayBeOnStack: Bool
  ) {
    self.pointers = pointers
    self.taker = taker
    self.type = type
    self.hasContext = hasContext
    self.mayBeOnStack = mayBeOnStack
  }
}

extension RunningFunction {
  /// A closure that can be overridden, at the first of the pointers that its values lead to.
  /// - Precondition: The use has pointers.
  package init(_ closure: ProgramClosure, _ use: ClosureUse) {
    self.init(
      closure.symbol, closure.declaration.throwing(as: use.type), isAsync: closure.isAsync, use,
      use.pointers[0])
  }

  private init(
    _ symbol: String, _ declaration: FunctionDeclaration, isAsync: Bool, _ use: ClosureUse,
    _ pointer: ClosureUse.Pointer
  ) {
    self.init(
      symbol: symbol, address: pointer.address, entry: pointer.address, isAsync: isAsync,
      isRemoved: false, declaration: declaration, facts: nil, closure: use,
      enteredCode: pointer.enteredCode)
  }

  /// The function, or a closure at each of the pointers that its values lead to. An override of the closure is one of all
  /// of these: each has an original of its own.
  package var entries: [RunningFunction] {
    guard let closure, closure.pointers.count > 1 else { return [self] }
    return closure.pointers.map {
      RunningFunction(symbol, declaration, isAsync: isAsync, closure, $0)
    }
  }

  /// A function that the program's symbols name at an address of code. It is known by its type only, and cannot be
  /// overridden.
  package init?(symbol: String, code: UInt) {
    guard let declaration = FunctionDeclaration(symbol: symbol) else { return nil }
    self.init(
      symbol: symbol, address: code, entry: nil, isAsync: declaration.isAsync, isRemoved: false,
      declaration: declaration, facts: nil)
  }
}

extension RunningFunction {
  /// A requirement that a type fulfils by a patch.
  package struct Witness: Hashable, Sendable {
    /// The qualified name of the type, such as `Bank.Account`.
    package let typeName: String
    /// The name of the protocol, such as `Greeter`.
    package let protocolName: String
    /// Whether the protocol has an implementation of its own.
    let hasDefault: Bool
    /// The type is a class that a patch has made.
    package let isOfMadeClass: Bool

    package init(
      typeName: String, protocolName: String, hasDefault: Bool, isOfMadeClass: Bool
    ) {
      self.isOfMadeClass = isOfMadeClass
      self.typeName = typeName
      self.protocolName = protocolName
      self.hasDefault = hasDefault
    }
  }

  /// - Parameters:
  ///   - requirement: The requirement's symbol.
  ///   - word: The address of its word in the witness table, which stands for the function too.
  package init(
    requirement: String, _ declaration: FunctionDeclaration, word: UInt, isAsync: Bool,
    _ witness: Witness
  ) {
    self.init(
      symbol: requirement, address: word, entry: word, isAsync: isAsync, isRemoved: false,
      declaration: declaration, facts: nil, witness: witness)
  }
}
