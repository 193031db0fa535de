// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// Names the members of an option set.
package enum OptionSetNames {
  /// The members that make up a set, the lowest bits first; of several bits only those that add some.
  /// - Returns: The names, and the bits that no member has.
  package static func covering(
    _ bits: UInt64, _ members: [(name: String, bits: UInt64)]
  ) -> (names: [String], rest: UInt64) {
    let within = members.filter { $0.bits & bits == $0.bits }.sorted {
      ($0.bits.nonzeroBitCount, $0.bits, $0.name) < ($1.bits.nonzeroBitCount, $1.bits, $1.name)
    }
    var names: [String] = []
    var rest = bits
    for (name, own) in within where own & rest != 0 {
      names.append(name)
      rest &= ~own
    }
    return (names, rest)
  }

  /// The text of an option set, such as `Bank.Access(readable, writable)`, for a type that does not
  /// describe itself. No code of the program runs, because the code that makes a member at its
  /// first use may be running already. A member that nothing has used yet has no bits.
  /// - Returns: nil if the type is no option set, or its members do not account for all bits.
  static func text(
    _ type: any Any.Type, at memory: UnsafeRawPointer, in program: RunningProgram
  ) -> String? {
    guard type is any OptionSet.Type, !(type is any CustomStringConvertible.Type),
      !(type is any CustomDebugStringConvertible.Type), isOneNumber(type),
      let known = program.type(naming: type)
    else { return nil }
    let size = ValueWitnesses(of: type).size
    var members: [(name: String, bits: UInt64)] = []
    for member in program.staticMemory(of: known) where program.runtimeType(member.type) == type {
      guard let address = UnsafeRawPointer(bitPattern: member.address) else { continue }
      members.append((member.declaration.baseName, load(address, size)))
    }
    let (names, rest) = covering(load(memory, size), members)
    return rest == 0 ? "\(TypeName.short(type))(\(names.joined(separator: ", ")))" : nil
  }

  private static func isOneNumber(_ type: any Any.Type) -> Bool {
    let fields = TypeMetadata.fields(of: type)
    return fields.count == 1 && fields[0].type is any FixedWidthInteger.Type
      && ValueWitnesses(of: type).size <= MemoryLayout<UInt64>.size
  }

  private static func load(_ memory: UnsafeRawPointer, _ size: Int) -> UInt64 {
    var bits: UInt64 = 0
    withUnsafeMutableBytes(of: &bits) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: memory, count: size))
    }
    return bits
  }
}
