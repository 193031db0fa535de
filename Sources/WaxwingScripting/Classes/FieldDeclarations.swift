// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection

/// The fields that a script has added to classes, by the address of the class's descriptor. Their
/// values are kept on the C side (`fields.c`).
struct FieldDeclarations {
  struct Field {
    let className: String
    let name: String
    /// The registry reference of the table that C reads the default from.
    let reference: Int32
  }

  /// The description of a field that is nil where it has not been set, for C.
  var empty: Int32?
  private var fields: [UInt: [String: Field]] = [:]

  mutating func add(_ field: Field, descriptor: UInt) {
    fields[descriptor, default: [:]][field.name] = field
  }

  /// The field of this name in the nearest of the classes that has one.
  /// - Parameter descriptors: Of the class itself, its superclass, and so on.
  func field(_ name: String, in descriptors: [UInt]) -> Field? {
    if fields.isEmpty { return nil }
    return descriptors.lazy.compactMap { fields[$0]?[name] }.first
  }

  /// The fields of these classes.
  func names(in descriptors: [UInt]) -> [String] {
    descriptors.flatMap { fields[$0].map { Array($0.keys) } ?? [] }
  }

  /// Fields of this name in any class.
  func all(named name: String) -> [(descriptor: UInt, field: Field)] {
    fields.compactMap { descriptor, fields in fields[name].map { (descriptor, $0) } }
  }
}
