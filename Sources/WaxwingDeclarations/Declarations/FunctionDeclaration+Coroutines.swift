// SPDX-License-Identifier: MIT

extension FunctionDeclaration {
  /// Of a getter: how the beginning of a `modify` coroutine is called that belongs to the same property
  /// or subscript, told as a function. It takes the coroutine's buffer, then the indices.
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

  /// Of an allocating initializer: a static function that returns an instance.
  package var asStaticFunction: FunctionDeclaration {
    guard kind == .allocatingInitializer else { return self }
    var function = self
    function.kind = .function
    function.name = DeclarationName("init")
    function.isStatic = true
    return function
  }
}
