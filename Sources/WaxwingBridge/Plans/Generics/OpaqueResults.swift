// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// The types that the `some P` in a function's result stand for.
///
/// The function's opaque type descriptor, whose symbol is the function's with `QOMQ` behind it,
/// tells them. A value of such a type is returned by address whatever it is, unless only classes
/// will do: so says the function's type, in the module that has it and in others, dynamic or not.
/// Measured with Swift 6.3.1, debug and release.
struct OpaqueResults {
  private let descriptor: ContextDescriptor
  private let context: GenericContext
  /// The level of the descriptor's own parameters, which is after the function's.
  private let depth: Int

  /// - Returns: nil if the function's result has none.
  init?(
    _ function: RunningFunction, _ generics: FunctionGenerics?, in program: RunningProgram
  ) throws(PlanError) {
    guard function.declaration.result.hasOpaqueResult else { return nil }
    guard let descriptor = Self.descriptor(function, program),
      let context = GenericContext(descriptor)
    else {
      throw PlanError(
        function,
        "its result is `some` type that its symbols do not tell: the program was stripped")
    }
    self.descriptor = descriptor
    self.context = context
    depth = generics?.counts.count ?? 0
  }

  /// An opaque result belongs to a property, whose symbol ends in `p` where its getter's has `g`.
  private static func descriptor(
    _ function: RunningFunction, _ program: RunningProgram
  ) -> ContextDescriptor? {
    var symbol = function.symbol
    switch function.declaration.kind {
    case .getter, .subscriptGetter: symbol = symbol.dropLast() + "p"
    default: break
    }
    return ContextDescriptor(program.address(ofSymbol: symbol + "QOMQ"))
  }

  /// The parameter that stands for one of them, of a level of its own.
  func parameter(_ index: Int) -> TypeNode { .genericParameter(depth: depth, index: index) }

  func isReference(_ index: Int) -> Bool {
    context.requirements.contains { requirement in
      switch requirement {
      case .superclass(let subject, _), .reference(let subject): subject == parameter(index)
      case .conformance(let subject, let bound): subject == parameter(index) && bound.isClassBound
      case .sameType: false
      }
    }
  }

  /// The types, in order.
  func types(_ bound: BoundGenerics?) -> [any Any.Type] {
    let count = context.counts.last ?? 0
    var arguments: [UnsafeRawPointer?] = bound?.metadataArguments ?? []
    arguments.append(nil)  // so that there is an address even for none
    return arguments.withUnsafeBufferPointer { arguments in
      (0..<count).compactMap { index in
        wax_abi_opaque_type(descriptor.address, arguments.baseAddress, index)
          .map(TypeMetadata.type(at:))
      }
    }
  }
}
