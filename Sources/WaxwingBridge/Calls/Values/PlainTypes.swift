// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingValues

/// Types whose values consist of nothing but themselves: no reference to an object, no closure, no pointer.
///
/// Whatever code of such a type's does with a copy of a value, such as its `description`, it reads nothing that
/// another thread may change at the same time. Collections of the standard library are plain if their elements
/// are: their storage is shared, but not changed as long as a copy exists.
enum PlainTypes {
  /// The types that were looked at. Types are never freed, so their addresses identify them.
  private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

  /// Whether the type is plain; false if that is not known.
  static func contains(_ type: any Any.Type) -> Bool {
    let key = ObjectIdentifier(type)
    if let answer = known.withLock({ $0[key] }) { return answer }
    var search = Search()
    let answer = search.isPlain(type)
    known.withLock { $0[key] = answer }
    return answer
  }

  /// One search through a type and all types that it consists of.
  private struct Search {
    /// Types that contain themselves are met again.
    var met: Set<ObjectIdentifier> = []

    mutating func isPlain(_ type: any Any.Type) -> Bool {
      if type is any PlainScalar.Type || PlainTypes.describedValues.contains(TypeName.full(type)) {
        return true
      }
      guard met.insert(ObjectIdentifier(type)).inserted else { return true }
      guard CopyableEscapableCheck.holds(type) else { return false }
      if let collection = type as? any ShownCollection.Type {
        return areAllPlain(collection.partTypes)
      }
      switch TypeMetadata.kind(of: type) {
      case .metatype, .existentialMetatype: return true
      case .tuple: return areAllPlain(TypeMetadata.elements(of: type).map(\.type))
      case .struct: return isPlainStruct(type)
      case .enum, .optional: return isPlainEnum(type)
      default: return false
      }
    }

    private mutating func areAllPlain(_ types: [any Any.Type]) -> Bool {
      for type in types where !isPlain(type) { return false }
      return true
    }

    /// Whether all of a struct's properties are plain. Without reflection metadata a struct looks
    /// as if it had no properties.
    private mutating func isPlainStruct(_ type: any Any.Type) -> Bool {
      let fields = TypeMetadata.fields(of: type)
      guard !fields.isEmpty || ValueWitnesses(of: type).size == 0, fields.allSatisfy(\.isStrong)
      else { return false }
      return areAllPlain(fields.map(\.type))
    }

    /// Enums of C have no records.
    private mutating func isPlainEnum(_ type: any Any.Type) -> Bool {
      let cases = EnumCase.all(of: type).filter(\.hasPayload)
      if cases.isEmpty {
        let witnesses = ValueWitnesses(of: type)
        return witnesses.isTrivial && witnesses.size <= MemoryLayout<UInt32>.size
      }
      let payloads = cases.compactMap(\.payload)
      return payloads.count == cases.count && areAllPlain(payloads)
    }
  }

  /// Values of libraries that copy their storage before they change it, or never change it, and whose description
  /// reads nothing else.
  static let describedValues: Set<String> = {
    let foundation = [
      "Calendar", "CharacterSet", "Data", "Date", "DateComponents", "DateInterval", "Decimal",
      "IndexPath",
      "IndexSet", "Locale", "TimeZone", "URL", "URLComponents", "URLQueryItem", "UUID",
    ]
    let types = foundation.flatMap { ["Foundation.\($0)", "FoundationEssentials.\($0)"] }
    return Set(types)
  }()
}

/// A type of the standard library's whose fields are the compiler's own types, and hold no references but to
/// storage that is copied before it is changed.
protocol PlainScalar {}

extension Int: PlainScalar {}
extension Int8: PlainScalar {}
extension Int16: PlainScalar {}
extension Int32: PlainScalar {}
extension Int64: PlainScalar {}
extension Int128: PlainScalar {}
extension UInt: PlainScalar {}
extension UInt8: PlainScalar {}
extension UInt16: PlainScalar {}
extension UInt32: PlainScalar {}
extension UInt64: PlainScalar {}
extension UInt128: PlainScalar {}
extension Float16: PlainScalar {}
extension Float: PlainScalar {}
extension Double: PlainScalar {}
extension Float80: PlainScalar {}
extension Bool: PlainScalar {}
extension String: PlainScalar {}
extension Substring: PlainScalar {}
extension String.UTF8View: PlainScalar {}
extension String.UTF16View: PlainScalar {}
extension String.UnicodeScalarView: PlainScalar {}
extension Character: PlainScalar {}
extension Unicode.Scalar: PlainScalar {}
extension StaticString: PlainScalar {}
extension ObjectIdentifier: PlainScalar {}
extension SIMD2: PlainScalar {}
extension SIMD3: PlainScalar {}
extension SIMD4: PlainScalar {}
extension SIMD8: PlainScalar {}
extension SIMD16: PlainScalar {}
extension SIMD32: PlainScalar {}
extension SIMD64: PlainScalar {}
extension SIMDMask: PlainScalar {}
