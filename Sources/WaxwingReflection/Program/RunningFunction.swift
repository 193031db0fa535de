// SPDX-License-Identifier: MIT

/// A function of the running program.
package struct RunningFunction: Hashable, Sendable {
  /// The function's symbol.
  package let symbol: String
  /// The address of its code, or of its async function pointer.
  package let address: UInt
  /// The address of its replacement entry; nil if it cannot be overridden.
  package private(set) var entry: UInt?
  /// Whether it is `async`, accessors included.
  package let isAsync: Bool
  /// Whether the optimiser has removed the code, since nothing calls it: what the symbol stands for
  /// ends the program. `_swift_dead_method_stub` in the compiler's lib/IRGen/GenDecl.cpp, Swift 6.3.
  package let isRemoved: Bool
  package private(set) var declaration: FunctionDeclaration
  /// What is known of its image beyond symbols and code.
  let facts: ImageFacts?
  /// Set for a requirement of a protocol that a patch gives to a type: the function is a word of a
  /// witness table then, and no code.
  package private(set) var witness: Witness?

  init(
    symbol: String, address: UInt, entry: UInt?, isAsync: Bool, isRemoved: Bool,
    declaration: FunctionDeclaration, facts: ImageFacts?, witness: Witness? = nil
  ) {
    self.witness = witness
    self.symbol = symbol
    self.address = address
    self.entry = entry
    self.isAsync = isAsync
    self.isRemoved = isRemoved
    self.declaration = declaration
    self.facts = facts
  }

  /// The same as a `didSet` that takes no old value.
  package func ignoringOldValue() -> RunningFunction {
    var function = self
    function.declaration.ignoresOldValue = true
    return function
  }

  /// The same, to be overridden by another word than a replacement entry, such as one of a vtable.
  package func replaced(at word: UInt) -> RunningFunction {
    var function = self
    function.entry = word
    return function
  }

  /// Of a getter: the beginning of the `modify` coroutine of the same property or subscript.
  package var beginningOfModify: RunningFunction {
    var function = self
    function.declaration = declaration.beginningOfModify
    return function
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

  package var isPatchPoint: Bool { entry != nil }

  /// Two functions are one if their symbols are; the rest follows from that.
  package static func == (left: RunningFunction, right: RunningFunction) -> Bool {
    left.address == right.address && left.symbol == right.symbol
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(address)
  }
}

extension RunningFunction {
  /// A requirement that a type fulfils by a patch.
  package struct Witness: Hashable, Sendable {
    /// `Bank.Account`
    package let typeName: String
    /// `Greeter`
    package let protocolName: String
    /// Whether the protocol has an implementation of its own.
    package let hasDefault: Bool
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
