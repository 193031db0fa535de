// SPDX-License-Identifier: MIT

extension FunctionDeclaration {
  /// A declaration of the beginning of the `modify` coroutine that belongs to the property or
  /// subscript of this getter. As a function, it takes the coroutine's buffer, then the indices.
  package var beginningOfModify: FunctionDeclaration {
    let indices = kind.isSubscript ? interfaceType?.function?.parameters : nil
    // Never nil: it is how `UnsafeMutableRawPointer` is mangled.
    let buffer = TupleElement(label: nil, type: TypeNode(mangled: "Sv") ?? .void)
    var beginning = self
    beginning.kind = .function
    beginning.name = DeclarationName("modify")
    beginning.labels = [nil] + labels
    beginning.interfaceType = .function(
      FunctionType(
        representation: .uncurried, parameters: [buffer] + (indices ?? []), result: .void))
    return beginning
  }

  /// The static function that an allocating initializer is: it returns an instance.
  package var asStaticFunction: FunctionDeclaration {
    guard kind == .allocatingInitializer else { return self }
    var function = self
    function.kind = .function
    function.name = DeclarationName("init")
    function.isStatic = true
    return function
  }
}
