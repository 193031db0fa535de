// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// A requirement of a protocol as a symbol tells it.
package struct RequirementName: Hashable, Sendable {
  /// The requirement's own symbol, without a suffix.
  package let symbol: String
  package let declaration: FunctionDeclaration
}

/// How a type of the program fulfils a protocol.
package struct KnownWitnessTable: Sendable {
  /// The address of the table's first word.
  package let address: UInt
  /// The requirements that its words stand for, by the word; several if functions with one body are
  /// one.
  package let names: [UInt: [RequirementName]]
}

/// The names of protocols' requirements.
///
/// A library that may change without its users being built again has a symbol for each (`Tq`). Other
/// protocols have none: what their requirements are is told by the witness tables of the types that
/// conform to them, whose words point to functions that have symbols (`TW`).
extension RunningProgram {
  /// The requirements that have symbols of their own, by the address of their records in the
  /// protocol's descriptor.
  package func requirementNames(of owner: RunningProtocol) -> [UInt: RequirementName] {
    var names: [UInt: RequirementName] = [:]
    guard let symbols = image(at: owner.descriptor)?.symbols else { return names }
    for symbol in symbols.symbols(prefix: owner.symbol) where symbol.hasSuffix("Tq") {
      guard let read = SwiftSymbol(symbol.name), read.variants == [.methodDescriptor],
        read.declaration.context.memberOf?.unbound == owner.nominal
      else { continue }
      names[symbol.address] = RequirementName(
        symbol: String(symbol.name.dropLast(2)), declaration: read.declaration)
    }
    return names
  }

  /// The witness tables of the types that conform to a protocol, as far as symbols tell.
  package func witnessTables(of owner: RunningProtocol) -> [KnownWitnessTable] {
    images.flatMap { witnessTables(of: owner, in: $0.symbols) }
  }

  private func witnessTables(
    of owner: RunningProtocol, in symbols: SymbolIndex
  ) -> [KnownWitnessTable] {
    let tables = symbols.symbols(suffix: "Mc").compactMap {
      Self.witnessTable(ofConformance: $0.address, to: owner.descriptor)
    }
    guard !tables.isEmpty else { return [] }
    let names = witnessNames(of: owner, in: symbols)
    return tables.map { KnownWitnessTable(address: $0, names: names) }
  }

  /// The names of requirements by the addresses of the functions, or of their async function
  /// pointers.
  private func witnessNames(
    of owner: RunningProtocol, in symbols: SymbolIndex
  ) -> [UInt: [RequirementName]] {
    let wanted = NameInSymbol(owner.nominal.name.text)
    var names: [UInt: [RequirementName]] = [:]
    for (suffix, ending) in [("TW" as StaticString, 0), ("TWTu", 2)] {
      for symbol in symbols.symbols(suffix: suffix) where unsafe wanted.mayBeIn(symbol.bytes) {
        let name = String(symbol.name.dropLast(ending))
        guard let read = SwiftSymbol(name), read.variants == [.protocolWitness],
          read.declaration.context.memberOf?.unbound == owner.nominal
        else { continue }
        names[symbol.address, default: []].append(
          RequirementName(symbol: name, declaration: read.declaration))
      }
    }
    return names
  }

  /// Whether the optimiser may have known all types that conform to a protocol: it is not `public`, as
  /// its descriptor's symbol tells, which then is its image's own.
  package func isClosed(_ owner: RunningProtocol) -> Bool {
    guard let image = image(at: owner.descriptor)?.image, !image.isSystem,
      let elf = try? ElfImage(symbolsOf: image.path)
    else { return false }
    var isClosed = false
    // What is damaged has no symbols.
    try? unsafe elf.forEachSymbol(in: .complete) { name, entry in
      guard image.base &+ UInt(entry.value) == owner.descriptor, entry.isDefined,
        name.count > 2, unsafe name.suffix(2).elementsEqual("Mp".utf8)
      else { return }
      isClosed = entry.isLocal
    }
    return isClosed
  }

  /// Reads a protocol conformance descriptor:
  ///
  ///     { protocol: relative indirectable pointer, type, witness table: relative pointers, flags }
  ///
  /// `TargetProtocolConformanceDescriptor`, include/swift/ABI/Metadata.h, Swift 6.3.
  ///
  /// - Returns: The address of the witness table, if it is of the protocol and has one.
  private static func witnessTable(
    ofConformance address: UInt, to protocolDescriptor: UInt
  ) -> UInt? {
    guard let record = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    let distance = unsafe Int(record.load(as: Int32.self))
    var found = address &+ UInt(bitPattern: distance & ~1)
    if distance & 1 != 0 {
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: found) else { return nil }
      found = unsafe pointer.load(as: UInt.self)
    }
    guard found == protocolDescriptor else { return nil }
    let table = unsafe Int(record.load(fromByteOffset: 8, as: Int32.self))
    return table == 0 ? nil : address &+ 8 &+ UInt(bitPattern: table)
  }
}
