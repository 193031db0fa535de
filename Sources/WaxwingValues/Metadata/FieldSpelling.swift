// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection

/// The source's spelling of the type of a stored property or of a payload, as far as it matters to
/// the layout of values.
///
/// The metatype of a struct or an enum takes no room where the type is written like that: `Int.Type`. It
/// has a word in what is generic over it, whatever the parameter stands for: `T.Type`, or `T` for
/// `Int.Type` (lowering of metatypes in the compiler's lib/SIL/IR/TypeLowering.cpp, Swift 6.3).
enum FieldSpelling {
  /// The value is stored as the type itself is.
  case natural
  /// The value is stored as a generic parameter, or as a part of one.
  case parameter
  case node(TypeNode)

  /// The spellings of a type's stored properties or payloads, in order.
  static func all(in type: any Any.Type) -> [FieldSpelling] {
    let isGeneric = ContextDescriptor(TypeMetadata.descriptor(of: type))?.isGeneric ?? false
    return FieldRecords.of(type).map { record in
      guard isGeneric, let node = record.type.flatMap({ MetadataName($0.start).type }) else {
        return .natural
      }
      return .node(node)
    }
  }

  /// The spelling of an element of a tuple.
  func element(_ index: Int) -> FieldSpelling {
    switch self {
    case .natural: .natural
    case .node(.tuple(let elements)) where elements.indices.contains(index):
      .node(elements[index].type)
    case .node, .parameter: .parameter
    }
  }

  /// Whether values of the type are metatypes that take no room here.
  func isThin(_ type: any Any.Type) -> Bool {
    guard TypeMetadata.isThinMetatype(type) else { return false }
    switch self {
    case .natural: return true
    case .node(.metatype(let instance, _)):
      switch instance {
      case .genericParameter, .dependentMember: return false
      default: return true
      }
    case .node, .parameter: return false
    }
  }
}
