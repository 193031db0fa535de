// SPDX-License-Identifier: MIT

/// A collection of the standard library's, for `ValueText`: its elements are looked at one by one, and none is hashed
/// or compared.
protocol ShownCollection {
  /// Shows the part of a type at an address.
  typealias ShowPart = (any Any.Type, UnsafeMutableRawPointer) -> String

  /// The types of its elements, or of its keys and values.
  static var partTypes: [any Any.Type] { get }
  /// Whether its own order means nothing, so that the texts are sorted.
  static var isUnordered: Bool { get }
  /// The text of a collection without elements.
  static var emptyText: String { get }
  /// The texts of its first elements, and how many it has.
  static func shown(
    at memory: UnsafeRawPointer, atMost most: Int, _ show: ShowPart
  ) -> (texts: [String], count: Int)
}

extension ShownCollection {
  static var isUnordered: Bool { false }
  static var emptyText: String { "[]" }
}

extension ShownCollection where Self: Collection {
  static var partTypes: [any Any.Type] { [Element.self] }

  static func shown(
    at memory: UnsafeRawPointer, atMost most: Int, _ show: ShowPart
  ) -> (texts: [String], count: Int) {
    let collection = memory.assumingMemoryBound(to: Self.self).pointee
    var texts: [String] = []
    for element in collection {
      if texts.count == most { break }
      texts.append(ShownPart.text(element, show))
    }
    return (texts, collection.count)
  }
}

extension Array: ShownCollection {}
extension ArraySlice: ShownCollection {}
extension ContiguousArray: ShownCollection {}

extension Set: ShownCollection {
  static var isUnordered: Bool { true }
}

extension Dictionary: ShownCollection {
  static var partTypes: [any Any.Type] { [Key.self, Value.self] }
  static var isUnordered: Bool { true }
  static var emptyText: String { "[:]" }

  static func shown(
    at memory: UnsafeRawPointer, atMost most: Int, _ show: ShowPart
  ) -> (texts: [String], count: Int) {
    let dictionary = memory.assumingMemoryBound(to: Self.self).pointee
    var texts: [String] = []
    for (key, value) in dictionary {
      if texts.count == most { break }
      texts.append("\(ShownPart.text(key, show)): \(ShownPart.text(value, show))")
    }
    return (texts, dictionary.count)
  }
}

private enum ShownPart {
  static func text<Part>(_ part: Part, _ show: ShownCollection.ShowPart) -> String {
    withUnsafePointer(to: part) { show(Part.self, UnsafeMutableRawPointer(mutating: $0)) }
  }
}
