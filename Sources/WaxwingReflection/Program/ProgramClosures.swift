// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// A closure of the program, and what its values lead to: of one that is async its async function pointers, of another code.
///
/// A value may lead elsewhere where the optimiser has made a copy of what it is wrapped in, which calls the closure
/// directly, or has the closure's code in it.
package struct ProgramClosure: Hashable, Sendable {
  /// One that values of the closure lead to.
  package struct Pointer: Hashable, Sendable {
    /// Of the async function pointer, or of the code of a closure that is not async.
    package let address: UInt
    /// The code that it leads to at the baseline; nil if no symbol tells.
    package let code: UInt?
    /// Whether it is that of a forwarder, which passes on what the closure has captured.
    package let isForwarder: Bool
    /// Whether it is that of a copy for certain types, made from the closure of a generic function.
    package let isSpecialized: Bool
    /// Whether it is a function that C calls: `@convention(c)`.
    package let isForC: Bool
  }

  /// The symbol of its body.
  package let symbol: String
  /// Where it stands, which number it has there, and its type. How its values are called does not follow
  /// from the type: one that is passed for a generic parameter takes and returns values by address.
  package let declaration: FunctionDeclaration
  /// By address. Where the compiler has made a forwarder, values lead there and not to the body.
  package let pointers: [Pointer]
  package let isAsync: Bool
  /// All code of it, also where no values lead: its body and forwarders, and those of its copies for certain types.
  package let codes: [UInt]
  /// The code of copies for certain arguments or captured values. Where other code than the closure's leads there, calls
  /// do not come by its pointers.
  package let copies: [UInt]
  /// The code that it has in common with other closures, which each of them jumps to.
  package let merged: [UInt]
  /// Whether its code is in a copy of a function that it is passed to. Calls of this do not come by its pointers.
  package let isInCopies: Bool
}

extension ProgramClosure {
  /// The name of the type whose member the function is that it stands in; of the module, if it is no member.
  var owner: String {
    let function = declaration.function
    guard let type = function.context.memberOf else { return function.module }
    return type.unbound.qualifiedName
  }

  /// Whether a symbol that ends in `Tu` is that of a pointer that values of a closure lead to, and not the
  /// engine's own.
  static func isPointer(_ symbol: String) -> Bool {
    ClosurePointerName(symbol).map {
      $0.isOfValues && !EngineModules.contains($0.declaration.module)
    } ?? false
  }
}

extension SymbolIndex {
  /// The closures whose values can be called, in the order of their symbols.
  var closures: [ProgramClosure] {
    var found: [String: FoundClosure] = [:]
    var passed: Set<String> = []
    for symbol in symbols(suffix: "Tu") {
      passed.formUnion(ClosurePointerName.passedFunctions(in: symbol.name))
      guard let name = ClosurePointerName(symbol.name),
        !EngineModules.contains(name.declaration.module)
      else { continue }
      found[name.closure, default: FoundClosure(name.declaration, isAsync: true)].add(
        name, symbol.address, code: address(of: String(symbol.name.dropLast(2))))
    }
    addSynchronous(&found, &passed)
    return found.sorted { $0.key < $1.key }.map { symbol, closure in
      ProgramClosure(
        symbol: symbol, declaration: closure.declaration,
        pointers: closure.pointers, isAsync: closure.isAsync,
        codes: Set(closure.codes + [address(of: symbol)].compactMap(\.self)).sorted(),
        copies: closure.copies, merged: closure.merged, isInCopies: passed.contains(symbol))
    }
  }
}

extension SymbolIndex {
  /// Adds the closures that are not async.
  private func addSynchronous(
    _ found: inout [String: FoundClosure], _ passed: inout Set<String>
  ) {
    for symbol in unsafe symbols(where: ClosurePointerName.mayBeClosure) where symbol.isFunction {
      let text = symbol.name
      // Without parsing the engine's own, of which there may be more than of the program's.
      if let module = SymbolModule.name(in: text), EngineModules.mayCall(module) { continue }
      passed.formUnion(ClosurePointerName.passedFunctions(in: text))
      guard let name = ClosurePointerName(name: text[...]), !name.declaration.isAsync,
        found[name.closure]?.isAsync != true, !EngineModules.mayCall(name.declaration.module)
      else { continue }
      found[name.closure, default: FoundClosure(name.declaration, isAsync: false)].add(
        name, symbol.address, code: symbol.address)
    }
  }
}

extension ProgramClosure {
  /// The closures of a file. The addresses are relative to the image's load address.
  package static func all(in image: ElfImage) throws(ElfError) -> [ProgramClosure] {
    let index = try SymbolIndex(image, .complete, base: 0)
    let found = index.closures
    // It keeps the names.
    withExtendedLifetime(index) {}
    return found
  }
}

/// The pointers of one closure.
private struct FoundClosure {
  let declaration: FunctionDeclaration
  let isAsync: Bool
  /// Of the closure as it is written, under an empty name, and of each copy.
  private var variants: [Substring: [ProgramClosure.Pointer]] = [:]
  private(set) var codes: [UInt] = []
  private(set) var copies: [UInt] = []
  private(set) var merged: [UInt] = []

  init(_ declaration: FunctionDeclaration, isAsync: Bool) {
    self.declaration = declaration
    self.isAsync = isAsync
  }

  mutating func add(_ name: ClosurePointerName, _ address: UInt, code: UInt?) {
    if !name.isOfValues {
      let all = Set([address] + [code].compactMap(\.self))
      if name.isMerged { merged += all } else { copies += all }
      return
    }
    if let code { codes.append(code) }
    variants[name.copy, default: []].append(
      ProgramClosure.Pointer(
        address: address, code: code, isForwarder: name.isForwarder,
        isSpecialized: !name.copy.isEmpty && !name.isForC, isForC: name.isForC))
  }

  /// Never a forwarder and what it calls.
  var pointers: [ProgramClosure.Pointer] {
    variants.values.flatMap { pointers in
      let forwarders = pointers.filter(\.isForwarder)
      return forwarders.isEmpty ? pointers : forwarders
    }
    .sorted { $0.address < $1.address }
  }
}

/// The symbol of what values of a closure lead to, in parts.
private struct ClosurePointerName {
  /// The symbol of the closure's body: `$s…U0_`.
  let closure: String
  let declaration: FunctionDeclaration
  /// What is behind it, of a copy that the optimiser has made; empty: it is no copy.
  let copy: Substring
  let isForwarder: Bool

  /// - Parameter symbol: Ends in `Tu`, before which LLVM may have put a number: `….36Tu`.
  init?(_ symbol: String) { self.init(name: symbol.dropLast(2)) }

  /// - Parameter name: Of an async function pointer, without `Tu`, or of code.
  init?(name: Substring) {
    var name = name
    if let dot = name.lastIndex(of: "."), name[dot...].dropFirst().allSatisfy(\.isWholeNumber) {
      name = name[..<dot]
    }
    isForwarder = name.hasSuffix("TA")
    if isForwarder { name = name.dropLast(2) }
    guard let (closure, declaration) = Self.closure(in: name) else { return nil }
    self.closure = closure
    self.declaration = declaration
    copy = name.dropFirst(closure.count)
  }

  /// Whether the bytes of a symbol may be a closure's: `U`, digits and `_` are in it, or `fu` before these.
  static func mayBeClosure(_ name: UnsafeRawBufferPointer) -> Bool {
    var isNumber = false
    var before: UInt8 = 0
    for index in name.indices {
      let byte = unsafe name[index]
      defer { before = byte }
      switch byte {
      case UInt8(ascii: "U"): isNumber = true
      case UInt8(ascii: "u"): isNumber = before == UInt8(ascii: "f")
      case UInt8(ascii: "_") where isNumber: return true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      default: isNumber = false
      }
    }
    return false
  }

  /// Whether values of the closure as it is written lead to it. It is not so for a copy with other arguments,
  /// `…Tf4…`, or for certain captured values, `…Tf3np…`.
  var isOfValues: Bool {
    copy.isEmpty || copy.hasSuffix("Tg5") || copy.hasSuffix("TG5") || isForC
  }

  /// Whether it is that of the function that C calls.
  var isForC: Bool { copy == "To" }

  /// Whether it is that of code which the optimiser has found in several functions.
  var isMerged: Bool { copy.hasSuffix("Tm") }

  /// The functions that a copy of another function was made for, to which they are passed.
  static func passedFunctions(in symbol: String) -> [String] {
    if !symbol.utf8.dropFirst().contains(UInt8(ascii: "$")) { return [] }
    var demangler = Demangler(symbol.utf8)
    return demangler.passedFunctions()
  }

  /// Whether patches can name it. Of those that the compiler makes, they name what it makes of a method with its receiver,
  /// as of `use: self.show`: the second of two, which has captured the receiver. Others are autoclosures.
  private static func isMeant(_ declaration: FunctionDeclaration) -> Bool {
    switch (declaration.kind, declaration.enclosing?.kind) {
    case (.closure, _), (.implicitClosure, .implicitClosure): true
    default: false
    }
  }

  /// The longest name of a closure at the beginning: one may stand in another.
  private static func closure(in name: Substring) -> (String, FunctionDeclaration)? {
    var rest = name
    while let last = rest.lastIndex(of: "_") {
      let candidate = name[...last]
      let number = candidate.dropLast().reversed().drop { $0.isWholeNumber }
      if number.first == "U" || number.first == "u",
        let declaration = FunctionDeclaration(symbol: String(candidate)), isMeant(declaration)
      {
        return (String(candidate), declaration)
      }
      rest = name[..<last]
    }
    return nil
  }
}
