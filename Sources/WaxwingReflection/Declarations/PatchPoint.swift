// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// A function that can be overridden, its place in its image, and its declaration.
package struct PatchPoint: Hashable, Sendable {
  /// The symbol of the function.
  package let symbol: String
  /// Where the replacement entry is, relative to the image's load address.
  let entry: UInt64
  /// The first word of the entry, relative to the image's load address: the function's code, or for
  /// an `async` function its async function pointer. Nil if the image does not name it.
  package let implementation: UInt64?
  /// Whether `implementation` is an async function pointer: true of every `async` function, an
  /// `async` getter included, which `declaration` cannot tell.
  package let isAsync: Bool
  /// Whether the function is a `@_dynamicReplacement`: its entry leads from it to the function that
  /// it replaces.
  package let isReplacement: Bool
  /// The declaration that the symbol encodes.
  package let declaration: FunctionDeclaration

  package init(
    symbol: String, entry: UInt64, implementation: UInt64?, isAsync: Bool,
    isReplacement: Bool = false, declaration: FunctionDeclaration
  ) {
    self.symbol = symbol
    self.entry = entry
    self.implementation = implementation
    self.isAsync = isAsync
    self.isReplacement = isReplacement
    self.declaration = declaration
  }
}

extension PatchPoint {
  /// The functions of a file that have no replacement entry, without the engine's own, in modules that have none at all.
  /// The addresses are relative to the image's load address.
  package static func withoutEntry(in image: ElfImage) throws(ElfError) -> [PatchPoint] {
    let index = try SymbolIndex(image, .complete, base: 0)
    let patched = Set(
      index.patchPoints.compactMap { FunctionDeclaration(symbol: $0.symbol.name)?.module })
    var found: [PatchPoint] = []
    for place in 0..<index.count {
      let symbol = index[place]
      guard symbol.isFunction, unsafe RunningProgram.mayBeFunction(symbol.bytes),
        let declaration = FunctionDeclaration(symbol: symbol.name),
        declaration.enclosing == nil, !patched.contains(declaration.module),
        !EngineModules.mayCall(declaration.module)
      else { continue }
      let pointer = index.address(of: symbol.name + "Tu")
      found.append(
        PatchPoint(
          symbol: symbol.name, entry: 0, implementation: UInt64(symbol.address),
          isAsync: pointer != nil, declaration: declaration))
    }
    // It keeps the names.
    withExtendedLifetime(index) {}
    return found
  }
}
