// SPDX-License-Identifier: MIT

/// Reads mangled names into declarations and types: a stack machine after the compiler's
/// [mangling rules](https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst).
///
/// Names are untrusted. Every operator consumes at least one byte, so a name is read in one pass;
/// how deep and how big results may grow is limited, so that nothing that walks them overflows the
/// stack or runs for ever (substitutions let a short name spell a tree of any size).
package struct Demangler {
  private static let longestName = 1 << 14
  private static let deepestNesting = 240
  private static let largestResult = 20_000
  private static let tallestStack = 4096

  private struct Entry {
    let item: StackItem
    let depth: Int
    let size: Int
  }

  let text: [UInt8]
  /// Types that the text refers to by their descriptors, by the reference's position.
  package var references: [Int: TypeNode] = [:]
  /// Constrained existential types that the text refers to, their arguments as generic parameters.
  package var existentialShapes: [Int: TypeNode] = [:]
  var position = 0
  var words: [[UInt8]] = []
  private var stack: [Entry] = []
  private var substitutions: [Entry] = []
  // Nesting and size of what the operator under way has popped so far.
  private var depth = 0
  private var size = 0

  package init(_ name: some Sequence<UInt8>) {
    text = [UInt8](name)
  }

  /// The function that the whole name stands for.
  mutating func symbol() -> SwiftSymbol? {
    guard skipPrefix(), (try? run()) != nil else { return nil }
    var variants: [SwiftSymbol.Variant] = []
    while case .variant(let variant)? = stack.last?.item {
      variants.append(variant)
      stack.removeLast()
    }
    guard stack.count == 1, case .declaration(let declaration) = stack[0].item else { return nil }
    return SwiftSymbol(declaration: declaration, variants: variants)
  }

  /// The symbols of functions that the function with this symbol was copied for, to which they are passed. They are
  /// identifiers at its end, before an operator that is not understood, as in `…F36$s4main6calledSiyYacfU_Tf1cn_n`.
  package mutating func passedFunctions() -> [String] {
    guard skipPrefix() else { return [] }
    _ = try? run()
    return stack.compactMap {
      guard case .identifier(let name) = $0.item, name.hasPrefix("$s") else { return nil }
      return name
    }
  }

  /// The type that the whole name, which has no prefix, stands for.
  package mutating func type() -> TypeNode? {
    guard (try? run()) != nil, stack.count == 1, case .type(let type) = stack[0].item else {
      return nil
    }
    return type
  }

  private mutating func skipPrefix() -> Bool {
    for prefix in ["$s", "_$s", "$S", "_$S"] where text.starts(with: prefix.utf8) {
      position = prefix.utf8.count
      return true
    }
    return false
  }

  private mutating func run() throws(DemanglingFailure) {
    guard text.count <= Self.longestName else { throw DemanglingFailure() }
    while position < text.count {
      depth = 0
      size = 0
      try push(try nextOperator())
    }
  }
}

// The stack.
extension Demangler {
  private func entry(for item: StackItem) throws(DemanglingFailure) -> Entry {
    let entry = Entry(item: item, depth: depth + 1, size: size + 1)
    guard entry.depth <= Self.deepestNesting, entry.size <= Self.largestResult else {
      throw DemanglingFailure()
    }
    return entry
  }

  mutating func push(_ item: StackItem) throws(DemanglingFailure) {
    guard stack.count < Self.tallestStack else { throw DemanglingFailure() }
    stack.append(try entry(for: item))
  }

  var top: StackItem? { stack.last?.item }

  mutating func pop() throws(DemanglingFailure) -> StackItem {
    guard let entry = stack.popLast() else { throw DemanglingFailure() }
    depth = max(depth, entry.depth)
    size += entry.size
    return entry.item
  }

  /// Starts a new account, after one operator has pushed one of several results.
  mutating func forgetPopped() {
    depth = 0
    size = 0
  }

  /// Counts an operator that nests its operands more than one level deep.
  mutating func nest(by levels: Int) {
    depth += levels
  }

  /// Takes the nesting depth of the operands so far, which is not counted again.
  mutating func takeDepth() -> Int {
    defer { depth = 0 }
    return depth
  }

  mutating func remember(_ item: StackItem) throws(DemanglingFailure) {
    substitutions.append(try entry(for: item))
  }

  /// Pushes the substitution `count` times but for the last, which it answers.
  mutating func substitution(
    _ index: Int, count: Int
  ) throws(DemanglingFailure) -> StackItem {
    guard substitutions.indices.contains(index), count <= 2048 else { throw DemanglingFailure() }
    let entry = substitutions[index]
    for _ in stride(from: 1, to: count, by: 1) {
      guard stack.count < Self.tallestStack else { throw DemanglingFailure() }
      stack.append(entry)
    }
    depth = max(depth, entry.depth - 1)
    size += entry.size - 1
    return entry.item
  }
}

// The text.
extension Demangler {
  /// The next byte, 0 at the end.
  func peek() -> UInt8 { position < text.count ? text[position] : 0 }

  mutating func next() -> UInt8 {
    let byte = peek()
    position += 1
    return byte
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// The type that the bytes here refer to, if they are a reference; it counts as one substitution.
  mutating func reference() throws(DemanglingFailure) -> StackItem? {
    if let shape = existentialShapes[position] {
      position += 1 + Self.referenceSize(peek())
      return .existentialShape(shape)
    }
    guard let type = references[position] else { return nil }
    position += 1 + Self.referenceSize(peek())
    try remember(.type(type))
    return .type(type)
  }

  /// Bytes of the reference that a byte of a name in metadata begins; 0: none.
  package static func referenceSize(_ byte: UInt8) -> Int {
    switch byte {
    case 1...0x17: 4
    case 0x18...0x1f: 8
    default: 0
    }
  }

  /// The next byte as a character to switch over.
  mutating func nextCharacter() -> Unicode.Scalar { Unicode.Scalar(next()) }
}
