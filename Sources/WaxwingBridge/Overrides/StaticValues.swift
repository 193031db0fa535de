// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// The static members of a type that are values of the type, such as those of an option set.
struct StaticValues {
  private let type: any Any.Type
  private let program: RunningProgram
  /// The type that has the static values; nil if the program does not know the type by name.
  private let known: RunningType?

  init(of type: any Any.Type, in program: RunningProgram) {
    self.type = type
    self.program = program
    known = program.type(naming: type)
  }

  var names: Set<String> {
    guard let known else { return [] }
    let stored = program.storageNames(of: known).filter { storage($0, known) != nil }
    return stored.union(getters(known) { _ in true }.map(\.declaration.baseName))
  }

  /// Initializes `target` with a member's value. Runs its getter, or what makes its value at the first use.
  /// - Parameter target: nil: nothing is read.
  /// - Returns: Whether there is one of this name.
  func read(_ name: String, into target: UnsafeMutableRawPointer?) -> Bool {
    guard let known, let codec = try? CodecLibrary.codec(for: type) else { return false }
    if let getter = getters(known, where: { $0.baseName == name }).first,
      let value = DefaultArgument(getter.address, codec)
    {
      if let target { value.make(into: target) }
      return true
    }
    guard let storage = storage(name, known) else { return false }
    guard let target else { return true }
    guard let address = storage.valueAddress else { return false }
    codec.copy(address, to: target)
    return true
  }

  private func getters(
    _ known: RunningType, where isWanted: (FunctionDeclaration) -> Bool
  ) -> [RunningFunction] {
    program.members(of: known).filter {
      let declaration = $0.declaration
      return declaration.isStatic && declaration.kind == .getter && isWanted(declaration)
        && isOwn(declaration.result)
    }
  }

  private func storage(_ name: String, _ known: RunningType) -> RunningStorage? {
    program.storage(named: name, of: known).flatMap { isOwn($0.type) ? $0 : nil }
  }

  private func isOwn(_ node: TypeNode) -> Bool { program.runtimeType(node) == type }
}

extension RunningStorage {
  /// Where the value is. The first use may run the program's own code, which makes it.
  var valueAddress: UnsafeRawPointer? {
    guard isAddressor else { return UnsafeRawPointer(bitPattern: address) }
    var frame = Frame(stackArguments: nil)
    Invocation.call(UnsafeRawPointer(bitPattern: address), &frame)
    return UnsafeRawPointer(bitPattern: UInt(frame.integerResults.0))
  }
}
