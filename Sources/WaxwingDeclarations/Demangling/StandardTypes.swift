// SPDX-License-Identifier: MIT

/// The types with mangled names of their own.
enum StandardTypes {
  /// Types mangled as `S` and a letter.
  static let core: [UInt8: NominalType] = table([
    .struct: [
      "A": "AutoreleasingUnsafeMutablePointer", "a": "Array", "b": "Bool", "D": "Dictionary",
      "d": "Double", "f": "Float", "h": "Set", "I": "DefaultIndices", "i": "Int",
      "J": "Character", "N": "ClosedRange", "n": "Range", "O": "ObjectIdentifier",
      "P": "UnsafePointer", "p": "UnsafeMutablePointer", "R": "UnsafeBufferPointer",
      "r": "UnsafeMutableBufferPointer", "S": "String", "s": "Substring", "u": "UInt",
      "V": "UnsafeRawPointer", "v": "UnsafeMutableRawPointer", "W": "UnsafeRawBufferPointer",
      "w": "UnsafeMutableRawBufferPointer",
    ],
    .enum: ["q": "Optional"],
    .protocol: [
      "B": "BinaryFloatingPoint", "E": "Encodable", "e": "Decodable", "F": "FloatingPoint",
      "G": "RandomNumberGenerator", "H": "Hashable", "j": "Numeric",
      "K": "BidirectionalCollection", "k": "RandomAccessCollection", "L": "Comparable",
      "l": "Collection", "M": "MutableCollection", "m": "RangeReplaceableCollection",
      "Q": "Equatable", "T": "Sequence", "t": "IteratorProtocol", "U": "UnsignedInteger",
      "X": "RangeExpression", "x": "Strideable", "Y": "RawRepresentable", "y": "StringProtocol",
      "Z": "SignedInteger", "z": "BinaryInteger",
    ],
  ])

  /// Types mangled as `Sc` and a letter.
  static let concurrency: [UInt8: NominalType] = table([
    .protocol: [
      "A": "Actor", "F": "Executor", "f": "SerialExecutor", "h": "TaskExecutor",
      "I": "AsyncIteratorProtocol", "i": "AsyncSequence",
    ],
    .struct: [
      "C": "CheckedContinuation", "c": "UnsafeContinuation", "E": "CancellationError",
      "e": "UnownedSerialExecutor", "G": "TaskGroup", "g": "ThrowingTaskGroup",
      "J": "UnownedJob", "P": "TaskPriority", "S": "AsyncStream", "s": "AsyncThrowingStream",
      "T": "Task", "t": "UnsafeCurrentTask",
    ],
    .class: ["M": "MainActor"],
  ])

  /// The mangled names by type.
  static let mangled: [NominalType: String] = {
    var names: [NominalType: String] = [:]
    for (letter, type) in core { names[type] = "S" + String(Character(Unicode.Scalar(letter))) }
    for (letter, type) in concurrency {
      names[type] = "Sc" + String(Character(Unicode.Scalar(letter)))
    }
    return names
  }()

  private static func table(
    _ names: [NominalType.Kind: [Unicode.Scalar: String]]
  ) -> [UInt8: NominalType] {
    var types: [UInt8: NominalType] = [:]
    for (kind, names) in names {
      for (letter, name) in names { types[UInt8(ascii: letter)] = .standard(kind, name) }
    }
    return types
  }
}
