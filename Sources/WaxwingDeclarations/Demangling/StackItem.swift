// SPDX-License-Identifier: MIT

/// The items that the demangler's operators leave for one another.
enum StackItem {
  case identifier(String)
  /// A name that is more than an identifier: private, local, an operator.
  case name(DeclarationName)
  case module(String)
  case type(TypeNode)
  case context(DeclarationContext)
  case declaration(FunctionDeclaration)
  case modifier(FunctionModifier)
  case signature(GenericSignature)
  case requirement(GenericRequirement)
  /// The declaration whose result an opaque type is.
  case opaqueOrigin(DeclarationContext)
  case conformance
  case conformanceReference
  case retroactiveConformance
  case variant(SwiftSymbol.Variant)
  case emptyList
  case firstElement
  case variadic
  /// `any P<…>` of which the arguments follow.
  case existentialShape(TypeNode)
}

/// A property of a function type that a symbol gives before the type's operator.
enum FunctionModifier {
  case isAsync
  case sendable
  case throwing
  case typedThrowing(TypeNode)
  case differentiable(UInt8)
  case isolation(FunctionType.Isolation)
  case sendingResult
}
