// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingDeclarations
import WaxwingReflection

/// Tells the types of values in a file of a patch, by the declarations of the program.
struct ValueTypes {
  private let outline: PatchOutline
  private let program: ProgramNames
  private let point: (PatchOutline.Override, ProgramNames.Scope, ProgramNames) -> PatchPoint?

  /// - Parameter point: The function that an override is of, if that is certain.
  init(
    _ outline: PatchOutline, _ program: ProgramNames,
    _ point: @escaping (PatchOutline.Override, ProgramNames.Scope, ProgramNames) -> PatchPoint?
  ) {
    (self.outline, self.program, self.point) = (outline, program, point)
  }

  /// The type of the value, or the type in an optional; nil if nothing tells it.
  func type(of value: PatchOutline.Value) -> TypeNode? { declared(value).map(Self.bare) }

  private func declared(_ value: PatchOutline.Value) -> TypeNode? {
    switch value {
    case .receiver(let index):
      let override = outline.overrides[index]
      guard !override.target.isStatic, case .type(let type)? = scope(of: override) else {
        return nil
      }
      return .nominal(type)
    case .argument(let position, let index):
      // What comes first of these is no parameter of the function.
      if [.willSet, .didSet].contains(outline.overrides[index].target.accessor) { return nil }
      guard let parameters = function(index)?.parameters, parameters.indices.contains(position),
        !parameters[position].isVariadic
      else { return nil }
      return parameters[position].type
    case .original(let index): return function(index)?.result
    case .property(let base, let name):
      return type(of: base)?.nominal.flatMap { program.type(ofProperty: name, of: $0.unbound) }
    case .result(let base, let name):
      return type(of: base)?.nominal.flatMap { program.method(name, of: $0.unbound)?.result }
    }
  }

  private func scope(of override: PatchOutline.Override) -> ProgramNames.Scope? {
    let meaning =
      switch override.target.owner {
      case .type(let name), .member(let name): program.type(name)
      case .module(let name): program.module(name)
      case .global(let name): program.global(name)
      }
    guard case .scopes(let scopes) = meaning, scopes.count == 1 else { return nil }
    return scopes[0]
  }

  private func function(_ index: Int) -> FunctionDeclaration? {
    let override = outline.overrides[index]
    return scope(of: override).flatMap { point(override, $0, program)?.declaration }
  }

  private static func bare(_ type: TypeNode) -> TypeNode {
    var type = type
    while true {
      if let payload = type.optionalPayload {
        type = payload
      } else if case .modified(_, let inner) = type {
        type = inner
      } else if case .dynamicSelf(let inner) = type {
        type = inner
      } else {
        return type
      }
    }
  }
}
