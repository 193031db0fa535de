// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// The parameters of a function that a caller from Lua may leave out, and their default values.
///
/// The compiler makes a function of its own for each default value, without arguments: the symbol of
/// the function and `fA_`, `fA0_`, `fA1_` …. There is none for `nil` and for what is known only where
/// the call is, as `#line` (`emitDefaultArgGenerator`, lib/SILGen/SILGen.cpp, Swift 6.3).
///
/// An optimised program has none for a library's functions. A facts file then tells the values as the
/// library's source has them.
/// Unchecked: fixed, but for what has been found, which is under a lock.
final class DefaultArguments: @unchecked Sendable {
  private let function: RunningFunction
  private let program: RunningProgram
  private let arguments: [CallPlan.Argument]
  /// The default arguments by the argument's index. They are looked up when first asked for.
  private let found = Mutex<[Int: DefaultArgument]?>(nil)
  /// The default values as the source has them, by the argument's index. They are looked up when first
  /// asked for.
  private let texts = Mutex<[Int: Written]?>(nil)

  /// A default value as the source has it.
  private struct Written {
    let text: String
    /// The value as Lua code makes it; nil: it cannot be made.
    let value: WrittenDefault?
  }

  /// - Parameter isGeneric: Default values of a generic function are generic functions, and are not
  ///   made.
  init(
    of function: RunningFunction, _ arguments: [CallPlan.Argument], in program: RunningProgram,
    isGeneric: Bool
  ) {
    if isGeneric { found.withLock { $0 = [:] } }
    self.function = function
    self.arguments = arguments
    self.program = program
  }

  /// The default value of the argument at `index`; nil: it has none that can be found.
  func value(at index: Int) -> DefaultArgument? {
    if let known = found.withLock({ $0 }) { return known[index] }
    let made = find()
    found.withLock { $0 = made }
    return made[index]
  }

  /// The default value of the argument at `index` that Lua code has to make, because only the source tells
  /// it; nil: there is none, or it is nil.
  func written(at index: Int) -> WrittenDefault? {
    guard let value = written[index]?.value, value.lua != "nil", self.value(at: index) == nil
    else { return nil }
    return value
  }

  /// Whether the argument at `index` has a default value that cannot be made, so that it is not nil if it is
  /// left out. What is known only where the call is, as `#isolation`, is nil for a call from Lua.
  func isUnmade(_ index: Int) -> Bool {
    guard let written = written[index], written.value == nil, !written.text.hasPrefix("#") else {
      return false
    }
    return value(at: index) == nil
  }

  /// Whether the source tells default values.
  var areWritten: Bool { !written.isEmpty }

  private var written: [Int: Written] {
    if let known = texts.withLock({ $0 }) { return known }
    let read = ([function] + overridden).lazy.map(\.writtenDefaults).first { !$0.isEmpty } ?? [:]
    var found: [Int: Written] = [:]
    for (place, text) in read where arguments.indices.contains(place + first) {
      found[place + first] = Written(text: text, value: WrittenDefault(text))
    }
    texts.withLock { $0 = found }
    return found
  }

  /// Whether the argument at `index` has a default value other than nil.
  func has(_ index: Int) -> Bool { value(at: index) != nil || written(at: index) != nil }

  /// Why there is nothing for the argument at `index`, which has no default value: the rest of a sentence.
  func absence(_ index: Int) -> String {
    if let text = written[index]?.text {
      return "its default value `\(text)` cannot be made here; pass it"
    }
    return
      "the program has no code for a default value of it: there is none, or the optimizer has dropped it; "
      + "pass it"
      + (function.hasWrittenFacts
        ? "" : ", or let `waxwing facts` record the values where the program is built")
  }

  /// Whether the argument at `index` can be left out: it has a default value, or is nil then, or no
  /// arguments at all, or the place of the call.
  func canOmit(_ index: Int) -> Bool {
    let argument = arguments[index]
    return argument.isVariadic || argument.isOptional && !isUnmade(index)
      || has(index) || function.declaration.locationParameters.contains(index)
  }

  /// How many arguments after the one at `index` have no default value.
  func countRequired(after index: Int) -> Int {
    arguments.indices.dropFirst(index + 1).count { !has($0) }
  }

  /// A method that is overridden keeps the default values of the one that it overrides, unless it
  /// has some of its own.
  private func find() -> [Int: DefaultArgument] {
    for function in [function] + overridden {
      let values = Self.generators(of: function, in: program)
      if !values.isEmpty { return make(values) }
    }
    return [:]
  }

  private func make(_ generators: [Int: UInt]) -> [Int: DefaultArgument] {
    var made: [Int: DefaultArgument] = [:]
    for (index, address) in generators where arguments.indices.contains(index + first) {
      made[index + first] = DefaultArgument(address, arguments[index + first].codec)
    }
    return made
  }

  /// A subscript's setter takes the new value before the indices.
  private var first: Int { function.declaration.kind == .subscriptSetter ? 1 : 0 }

  private static func generators(
    of function: RunningFunction, in program: RunningProgram
  ) -> [Int: UInt] {
    guard let prefix = prefix(of: function) else { return [:] }
    var addresses: [Int: UInt] = [:]
    for generator in program.functions(symbolPrefix: prefix, besides: function) {
      if case .defaultArgument(let index) = generator.declaration.kind {
        addresses[index] = generator.address
      }
    }
    return addresses
  }

  /// Default values belong to the initializing part of an initializer, and to a subscript itself
  /// (`mangleDefaultArgumentEntity`, lib/AST/ASTMangler.cpp).
  private static func prefix(of function: RunningFunction) -> String? {
    let symbol = function.symbol[...]
    switch function.declaration.kind {
    case .allocatingInitializer, .initializer: return String(symbol.dropLast(1)) + "cfA"
    case .subscriptGetter, .subscriptSetter:
      // The new value is no part of a setter's symbol: both differ from the subscript in a letter.
      let isStatic = symbol.hasSuffix("Z")
      return String(symbol.dropLast(isStatic ? 2 : 1)) + (isStatic ? "pZfA" : "pfA")
    case .function, .operatorFunction: return function.symbol + "fA"
    default: return nil
    }
  }

  /// The functions of the same signature in the superclasses, nearest first.
  private var overridden: [RunningFunction] {
    guard let context = function.declaration.contextType.flatMap(program.runtimeType) else {
      return []
    }
    var found: [RunningFunction] = []
    var current = TypeMetadata.superclass(of: context)
    while let type = current {
      if let known = TypeMetadata.descriptor(of: type).flatMap(program.type(withDescriptor:)) {
        found += program.members(of: known).filter(isOverridden)
      }
      current = TypeMetadata.superclass(of: type)
    }
    return found
  }

  private func isOverridden(_ other: RunningFunction) -> Bool {
    let own = function.declaration
    return other.declaration.kind == own.kind && other.declaration.selector == own.selector
      && other.declaration.isStatic == own.isStatic
      && other.declaration.parameters == own.parameters
  }
}
