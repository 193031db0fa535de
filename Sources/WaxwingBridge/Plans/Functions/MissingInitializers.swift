// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingInterception
package import WaxwingReflection

/// The initializers that classes do not have, though their symbols are there: the compiler's stubs.
package enum MissingInitializers {
  /// Why such an initializer can be neither called nor overridden.
  static let reason =
    "the class does not have it: it has designated initializers of its own and does not inherit this one; "
    + "the compiler's stub in its place ends the program"

  /// The prefix of the compiler's function that reports a missing initializer, where that has not
  /// been inlined.
  static let reporterPrefix = "$ss25_unimplementedInitializer"

  /// Why an initializer of a library that never returns cannot be called.
  static let endsProgram =
    "it ends the program, whatever it is called with: it is not there on this system"

  private enum Verdict { case there, missing, endsProgram }

  // Code does not change: what was read once is right for good.
  private static let known = Mutex<[UInt: Verdict]>([:])

  /// Whether the function is such a stub. Reads its code the first time.
  package static func contains(_ function: RunningFunction, in program: RunningProgram) -> Bool {
    verdict(on: function, in: program) == .missing
  }

  /// Why a call of the function would end the program: it is such a stub, or a library has it in name only.
  package static func refusal(
    of function: RunningFunction, in program: RunningProgram
  ) -> String? {
    switch verdict(on: function, in: program) {
    case .missing: return reason
    case .endsProgram: return endsProgram
    case .there: break
    }
    guard !function.isPatchPoint, !function.isAsync, function.witness == nil,
      let callee = StubReader.firstCallee(ofCodeAt: function.address),
      wax_abi_reports_removed_function(UnsafeRawPointer(bitPattern: target(callee)))
    else { return nil }
    return removed
  }

  /// Why a function cannot be called whose symbol alone is left.
  static let removed = "the optimiser has removed it, because nothing in the program calls it"

  private static func verdict(on function: RunningFunction, in program: RunningProgram) -> Verdict {
    guard function.witness == nil, !function.isAsync, isPossible(function.declaration)
    else { return .there }
    if let known = known.withLock({ $0[function.address] }) { return known }
    let found = read(function, in: program)
    known.withLock { $0[function.address] = found }
    return found
  }

  private static func read(_ function: RunningFunction, in program: RunningProgram) -> Verdict {
    let endings = [function.address, initializing(function, in: program)].compactMap(\.self).map {
      ending($0, in: program)
    }
    if endings.contains(.report) { return .missing }
    // What the program's own initializers do is its own business.
    let isLibrarys = !function.isPatchPoint && program.isInSystem(function.address)
    return isLibrarys && endings.contains(.trap) ? .endsProgram : .there
  }

  /// Whether a class may have such a stub in the place of this.
  private static func isPossible(_ declaration: FunctionDeclaration) -> Bool {
    [.initializer, .allocatingInitializer].contains(declaration.kind)
      && declaration.extensionModule == nil
      && declaration.context.memberOf?.unbound.kind == .class
  }

  /// The part that initializes, of the one that allocates, which calls it.
  private static func initializing(
    _ function: RunningFunction, in program: RunningProgram
  ) -> UInt? {
    guard function.declaration.kind == .allocatingInitializer, function.symbol.last == "C"
    else { return nil }
    return program.address(ofSymbol: function.symbol.dropLast() + "c", near: function.address)
  }

  private static func ending(_ address: UInt, in program: RunningProgram) -> StubReader.StubEnd {
    let named = program.addresses(prefix: reporterPrefix, near: address)
    let fatal = fatalFunctions(in: program)
    return StubReader.ending(ofCodeAt: address, within: 0..<UInt.max) { callee in
      let function =
        switch callee {
        case .code(let address): target(address)
        case .content(of: let word, let jump):
          jump.map(target) ?? UnsafePointer<UInt>(bitPattern: word)?.pointee ?? 0
        }
      if named.contains(function) || reports(function) { return .report }
      return fatal.contains(function) ? .trap : .other
    }
  }

  /// The functions with which the standard library ends a program.
  package static func fatalFunctions(in program: RunningProgram) -> Set<UInt> {
    let core = UInt(bitPattern: wax_abi_retain_function())
    let names = ["$ss17_assertionFailure", "$ss18_fatalErrorMessage"]
    return Set(names.flatMap { program.addresses(prefix: $0, near: core) })
  }

  private static func target(_ jump: UInt) -> UInt {
    UnsafeRawPointer(bitPattern: jump).map { UInt(bitPattern: wax_abi_code_target($0)) } ?? 0
  }

  private static func reports(_ address: UInt) -> Bool {
    wax_abi_reports_missing_initializer(UnsafeRawPointer(bitPattern: address))
  }

  // MARK: Files

  /// The symbols of those of an image's patch points that are such stubs.
  static func among(_ points: [PatchPoint], in image: ElfImage) -> Set<String> {
    let possible = points.filter { isPossible($0.declaration) && !$0.isAsync }
    guard !possible.isEmpty, let code = ElfCode(image) else { return [] }
    let named = code.addresses(prefix: reporterPrefix)
    return code.withMemory { memory in
      let stubs = possible.filter { point in
        guard let address = point.implementation.map(memory.place) else { return false }
        let ending = StubReader.ending(ofCodeAt: address, within: memory.range) { callee in
          switch callee {
          case .code(let place): named.contains(memory.address(of: place)) ? .report : .other
          case .content(of: let word, jump: _):
            code.imported(memory.address(of: word)).map(reporters.contains) == true
              ? .report : .other
          }
        }
        return ending == .report
      }
      return Set(stubs.map(\.symbol))
    }
  }

  private static let reporters: Set = [
    "_swift_stdlib_reportUnimplementedInitializer",
    "_swift_stdlib_reportUnimplementedInitializerInFile",
  ]
}
