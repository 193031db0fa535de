// SPDX-License-Identifier: MIT

extension TypeMetadata {
  /// A metatype that takes no room by itself has no fixed layout inside an optional, a collection or
  /// a tuple: code that knows the type and code that is generic lay it out differently.
  static func checkMetatypes(in type: any Any.Type) throws(UnsupportedType) {
    let arguments: [any Any.Type] =
      switch kind(of: type) {
      case .optional: [genericArgument(of: type)]
      case .struct where type is any CompositeType.Type: [genericArgument(of: type)]
      case .tuple: elements(of: type).map(\.type)
      default: []
      }
    for argument in arguments where isThinMetatype(argument) {
      throw UnsupportedType(
        argument, because: "the metatype of a struct or enum cannot be part of another value")
    }
  }
}
