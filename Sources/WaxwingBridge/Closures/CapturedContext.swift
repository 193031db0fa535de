// SPDX-License-Identifier: MIT

internal import WaxwingReflection

/// The description of a Swift closure's context. For a closure that only adapts the call of another one, the context
/// has the other's.
///
///     context -> { metadata, reference counts, bindings, captures … }
///     metadata -> { kind, offset of the bindings: UInt32, descriptor }
///     descriptor -> { captures, sources of metadata, bindings: UInt32; type: Int32 …; { type, source: Int32 } … }
///
/// include/swift/ABI/Metadata.h and include/swift/RemoteInspection/Records.h, Swift 6.3. A variable in a box of its own
/// has the same description, with one capture.
struct CapturedContext {
  /// A generic parameter that captures mention, and how its type is found.
  struct Binding {
    /// The name of the parameter: `x`.
    let parameter: String
    /// The place among the bindings of the context; nil: it is found in another way.
    let place: Int?
  }

  static let kind = 0x400
  /// The kind of a box for a variable of a type that depends on generic parameters.
  static let genericKind = 0x500

  /// Where the bindings begin, or without any the first capture.
  let offset: Int
  /// The bindings are words between the head and the captures.
  private let wordCount: Int
  let names: [UnsafeRawPointer]
  let bindings: [Binding]
  /// Whether the program has a description of what was captured.
  let isDescribed: Bool

  /// - Parameter metadata: Of the kind of contexts.
  init(_ metadata: UnsafeRawPointer) {
    offset = Int(metadata.load(fromByteOffset: 8, as: UInt32.self))
    guard let descriptor = metadata.load(fromByteOffset: 16, as: UnsafeRawPointer?.self) else {
      (names, bindings, wordCount, isDescribed) = ([], [], 0, false)
      return
    }
    let count = Int(descriptor.load(as: UInt32.self))
    let sources = Int(descriptor.load(fromByteOffset: 4, as: UInt32.self))
    wordCount = Int(descriptor.load(fromByteOffset: 8, as: UInt32.self))
    let found = (0..<count).map { Self.target(descriptor + 12 + 4 * $0) }
    names = found.compactMap(\.self)
    isDescribed = names.count == count
    let records = descriptor + 12 + 4 * count
    bindings = (0..<sources).map { index in
      Binding(
        parameter: Self.text(records + 8 * index),
        place: Self.place(Self.text(records + 8 * index + 4)))
    }
  }

  /// Where the first capture is.
  var firstOffset: Int { offset + wordCount * MemoryLayout<UInt>.size }

  /// The types of the generic parameters `x`, `q_`, `q0_` …; nil: one of them is not known.
  func arguments(in context: UnsafeRawPointer) -> [UnsafeRawPointer?]? {
    var found: [UnsafeRawPointer?] = []
    for (index, binding) in bindings.enumerated() {
      let expected = index == 0 ? "x" : index == 1 ? "q_" : "q\(index - 2)_"
      guard binding.parameter == expected, let place = binding.place, place < wordCount,
        let type = (context + offset + place * MemoryLayout<UInt>.size).load(
          as: UnsafeRawPointer?.self)
      else { return nil }
      found.append(type)
    }
    return found
  }

  private static func target(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = Int(field.load(as: Int32.self))
    return distance == 0 ? nil : field + distance
  }

  private static func text(_ field: UnsafeRawPointer) -> String {
    target(field).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
  }

  /// `B2` or `B2_`: the third word of the bindings (`ClosureBindingMetadataSource`, MetadataSource.h).
  private static func place(_ source: String) -> Int? {
    guard source.hasPrefix("B") else { return nil }
    return Int(source.dropFirst().prefix { $0 != "_" })
  }
}

/// The type of a capture, as its descriptor names it.
enum CapturedType {
  /// Whether the type may have a parameter pack in it (`Qp`, `Qe`), for which the runtime ends the process if it is not
  /// told the pack.
  private static func hasPack(_ name: UnsafeRawBufferPointer) -> Bool {
    zip(name, name.dropFirst()).contains { first, second in
      first == UInt8(ascii: "Q") && (second == UInt8(ascii: "p") || second == UInt8(ascii: "e"))
    }
  }

  /// The length of a name without its suffix: a variable in a box, `Siz_Xx`.
  static func boxed(_ name: UnsafeRawPointer, _ length: Int) -> Int? {
    let bytes = UnsafeRawBufferPointer(start: name, count: length)
    if ends(bytes, "z_Xx") { return length - 4 }
    return ends(bytes, "_Xx") ? length - 3 : nil
  }

  /// How a capture holds its value, and the length of the name of the value's type.
  static func holding(
    _ name: UnsafeRawPointer, _ length: Int
  ) -> (holding: DescribedClosure.Variable.Holding, length: Int) {
    let bytes = UnsafeRawBufferPointer(start: name, count: length)
    if ends(bytes, "Xw") { return (.weak, length - 2) }
    if ends(bytes, "Xo") { return (.unowned, length - 2) }
    if ends(bytes, "Xu") { return (.unmanaged, length - 2) }
    return (.strong, length)
  }

  private static func ends(_ name: UnsafeRawBufferPointer, _ suffix: StaticString) -> Bool {
    let count = suffix.utf8CodeUnitCount
    guard name.count > count else { return false }
    return suffix.withUTF8Buffer { name[(name.count - count)...].elementsEqual($0) }
  }

  /// `… Ieg<parameters and results>_`: an escaping function with a context (docs/ABI/Mangling.rst,
  /// `impl-function-type`). The runtime makes no type of such a name.
  static func isFunction(_ name: UnsafeRawPointer, _ length: Int) -> Bool {
    let bytes = UnsafeRawBufferPointer(start: name, count: length)
    guard bytes.last == UInt8(ascii: "_"), let start = bytes.lastIndex(of: UInt8(ascii: "I")),
      bytes.count - start >= 4
    else { return false }
    let tail = bytes[(start + 1)...].dropLast()
    let isThick = tail.starts(with: "eg".utf8) || tail.starts(with: "ehg".utf8)
    return isThick
      && tail.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  /// The type of a name; nil: the runtime does not know it.
  /// - Parameter arguments: The types of generic parameters.
  static func type(
    _ name: UnsafeRawPointer, _ length: Int, _ arguments: [UnsafeRawPointer?]
  ) -> (any Any.Type)? {
    if hasPack(UnsafeRawBufferPointer(start: name, count: length)) { return nil }
    let context = arguments.isEmpty ? nil : MadeUpContext.descriptor([arguments.count])
    return arguments.withUnsafeBufferPointer {
      _getTypeByMangledNameInContext(
        name.assumingMemoryBound(to: UInt8.self), UInt(length), genericContext: context,
        genericArguments: context == nil ? nil : UnsafeRawPointer($0.baseAddress))
    }
  }
}
