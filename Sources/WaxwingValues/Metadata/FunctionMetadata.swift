// SPDX-License-Identifier: MIT

/// The runtime's description of a function type.
///
///     metadata -> { kind, flags, result, parameters …, parameter flags: UInt32 …,
///                   differentiability, global actor, extended flags, thrown type }
///
/// The last five are there if the flags say so: include/swift/ABI/Metadata.h and MetadataValues.h,
/// Swift 6.3.
package struct FunctionMetadata {
  package enum Convention: UInt {
    case swift = 0
    case block = 1
    case thin = 2
    case cFunction = 3
  }

  package struct Parameter: Hashable {
    package enum Ownership: UInt32 {
      case standard = 0
      case `inout` = 1
      case shared = 2
      case owned = 3
    }

    package let type: any Any.Type
    private let flags: UInt32

    init(_ type: any Any.Type, flags: UInt32) {
      self.type = type
      self.flags = flags
    }

    /// The ownership of the parameter; nil for one that this version does not know.
    package var ownership: Ownership? { Ownership(rawValue: flags & 0x7f) }
    var isVariadic: Bool { flags & 0x80 != 0 }

    /// The type of the value that is passed. For a variadic parameter, `type` is the type of the
    /// elements.
    package var valueType: any Any.Type {
      func array<Element>(_: Element.Type) -> any Any.Type { [Element].self }
      return isVariadic ? _openExistential(type, do: array) : type
    }

    package static func == (left: Parameter, right: Parameter) -> Bool {
      left.type == right.type && left.flags == right.flags
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(type))
      hasher.combine(flags)
    }
  }

  private static let hasParameterFlags: UInt = 0x0200_0000
  private static let hasExtendedFlags: UInt = 0x8000_0000

  package let parameters: [Parameter]
  package let result: any Any.Type
  /// The type `E` of `throws(E)`.
  package let thrown: (any Any.Type)?
  private let flags: UInt
  private let extendedFlags: UInt32

  /// Reads the metadata of a function type; nil for other types.
  package init?(_ type: any Any.Type) {
    guard TypeMetadata.kind(of: type) == .function else { return nil }
    let metadata = TypeMetadata.pointer(to: type)
    flags = metadata.load(fromByteOffset: 8, as: UInt.self)
    result = TypeMetadata.type(at: metadata.load(fromByteOffset: 16, as: UnsafeRawPointer.self))
    let count = Int(flags & 0xffff)
    let types = metadata + 24
    let parameterFlags = types + 8 * count
    let hasParameterFlags = flags & Self.hasParameterFlags != 0
    parameters = (0..<count).map { index in
      Parameter(
        TypeMetadata.type(at: (types + 8 * index).load(as: UnsafeRawPointer.self)),
        flags: hasParameterFlags ? (parameterFlags + 4 * index).load(as: UInt32.self) : 0)
    }
    let end = parameterFlags + (hasParameterFlags ? (4 * count + 7) / 8 * 8 : 0)
    guard flags & Self.hasExtendedFlags != 0 else {
      (extendedFlags, thrown) = (0, nil)
      return
    }
    let extended = Self.extension(end, flags)
    extendedFlags = extended.load(as: UInt32.self)
    let isTyped = extendedFlags & 1 != 0
    thrown =
      isTyped
      ? TypeMetadata.type(at: extended.load(fromByteOffset: 8, as: UnsafeRawPointer.self)) : nil
  }

  /// The extended flags stand after two words that may be there.
  private static func `extension`(_ place: UnsafeRawPointer, _ flags: UInt) -> UnsafeRawPointer {
    let isDifferentiable: UInt = 0x0800_0000
    let hasGlobalActor: UInt = 0x1000_0000
    let words = (flags & isDifferentiable != 0 ? 1 : 0) + (flags & hasGlobalActor != 0 ? 1 : 0)
    return place + 8 * words
  }

  /// The convention of the function; nil for one that this version does not know.
  package var convention: Convention? { Convention(rawValue: flags >> 16 & 0xff) }
  package var isThrowing: Bool { flags & 0x0100_0000 != 0 }
  package var isEscaping: Bool { flags & 0x0400_0000 != 0 }
  package var isDifferentiable: Bool { flags & 0x0800_0000 != 0 }
  package var isAsync: Bool { flags & 0x2000_0000 != 0 }
  package var isIsolatedAny: Bool { extendedFlags & 0xe == 2 }

  /// `(Int, inout String) throws -> Bool`
  package var name: String {
    let list = parameters.map { parameter in
      let prefix = parameter.ownership == .inout ? "inout " : ""
      return prefix + TypeName.short(parameter.type) + (parameter.isVariadic ? "..." : "")
    }
    let error = thrown.map { "(\(TypeName.short($0)))" } ?? ""
    let effects = (isAsync ? "async " : "") + (isThrowing ? "throws\(error) " : "")
    let result = self.result == Void.self ? "Void" : TypeName.short(self.result)
    let prefix = convention == .cFunction ? "@convention(c) " : ""
    return "\(prefix)(\(list.joined(separator: ", "))) \(effects)-> \(result)"
  }
}
