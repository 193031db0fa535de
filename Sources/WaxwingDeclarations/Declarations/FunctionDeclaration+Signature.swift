// SPDX-License-Identifier: MIT

extension FunctionDeclaration {
  private var functionType: FunctionType? { interfaceType?.function }

  /// The parameters in the order they are passed: for a setter the new value, then the indices;
  /// for `didSet` the old value.
  package var parameters: [FunctionParameter] {
    switch kind {
    case .setter: [.newValue(of: interfaceType)].compactMap(\.self)
    case .subscriptSetter: [.newValue(of: functionType?.result)].compactMap(\.self) + declared
    case .accessor(.willSet): [.newValue(of: interfaceType)].compactMap(\.self)
    case .accessor(.didSet):
      ignoresOldValue ? [] : [.newValue(of: interfaceType)].compactMap(\.self)
    case .getter, .accessor, .property: []
    default: declared
    }
  }

  private var declared: [FunctionParameter] {
    guard let functionType else { return [] }
    return functionType.parameters.enumerated().map { index, element in
      FunctionParameter(label: labels.indices.contains(index) ? labels[index] : nil, element)
    }
  }

  /// The result of the function: for accessors that lend a value or its address, the value.
  package var result: TypeNode {
    switch kind {
    case .setter, .subscriptSetter, .accessor(.willSet), .accessor(.didSet): .void
    case .getter, .accessor, .property: interfaceType ?? .void
    default: functionType?.result ?? .void
    }
  }

  /// Whether the function is `async`. A symbol does not tell it of accessors: see
  /// `PatchPoint.isAsync`.
  package var isAsync: Bool { hasEffects && functionType?.isAsync == true }

  /// Whether the function is `throws`. A symbol does not tell it of accessors.
  package var isThrowing: Bool { hasEffects && functionType?.isThrowing == true }

  /// A copy of the declaration of a closure that throws if a function of another type does.
  package func throwing(as type: FunctionType) -> FunctionDeclaration {
    guard var own = functionType else { return self }
    own.isThrowing = type.isThrowing
    own.thrownType = type.thrownType
    var copy = self
    copy.interfaceType = .function(own)
    return copy
  }

  /// The type in `throws(…)`.
  package var thrownType: TypeNode? { hasEffects ? functionType?.thrownType : nil }

  /// A property's type may be a function type; its effects are not the accessor's.
  private var hasEffects: Bool { !kind.isAccessor && kind != .property }
}
