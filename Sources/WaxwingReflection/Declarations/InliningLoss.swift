// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// The functions of an image that lose most by implicit dynamic, as its code tells: small functions, which the
/// compiler would inline, and generic ones, which it would specialise, by the number of places that call them.
///
/// A place counts once, however often it runs. A profile of the running program tells more.
package struct InliningLoss {
  /// A function, and what it loses.
  package struct Function: Hashable, Sendable {
    package let declaration: FunctionDeclaration
    /// How many calls of it the code has.
    package let places: Int
  }

  /// The largest function that counts as small, in bytes of code: what it does, and the 50 or so bytes that look
  /// at its replacement entry.
  static let smallSize: UInt64 = 160

  /// The functions that are called, those with the most places first.
  package let functions: [Function]

  /// Looks through an image's code.
  /// - Returns: nil if the image is not for x86_64, or has no code.
  package init?(_ image: ElfImage, _ points: [PatchPoint]) {
    guard image.machine == .x86_64, let text = image.section(named: ".text"),
      let range = try? image.range(of: text)
    else { return nil }
    let candidates = Self.candidates(image, points)
    var search = Search(candidates, at: text.address)
    unsafe image.reader.bytes.withUnsafeBytes { bytes in
      unsafe search.look(through: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    functions = zip(candidates, search.places).filter { $0.1 > 0 }
      .map { Function(declaration: $0.0.declaration, places: $0.1) }
      .sorted {
        ($1.places, $0.declaration.qualifiedName) < ($0.places, $1.declaration.qualifiedName)
      }
  }

  /// The modules with the most places first.
  package var modules: [(name: String, functions: Int, places: Int)] {
    Dictionary(grouping: functions, by: \.declaration.module)
      .map {
        (name: $0.key, functions: $0.value.count, places: $0.value.reduce(0) { $0 + $1.places })
      }
      .sorted { ($1.places, $0.name) < ($0.places, $1.name) }
  }

  /// A function that the compiler would inline or specialise.
  private struct Candidate {
    let declaration: FunctionDeclaration
    /// Where its code is, and its replacement entry.
    let code: Range<UInt64>
    let entry: UInt64
  }

  /// Functions that the compiler would inline or specialise. It does neither with what is async.
  private static func candidates(_ image: ElfImage, _ points: [PatchPoint]) -> [Candidate] {
    let wanted = Dictionary(
      points.filter { !$0.isAsync && !$0.isReplacement }.map { ($0.symbol, $0) },
      uniquingKeysWith: { first, _ in first })
    var found: [Candidate] = []
    for symbol in (try? image.symbols(in: .complete)) ?? [] {
      guard symbol.isDefined, symbol.kind == .function, symbol.size > 0,
        let point = wanted[symbol.name],
        isGeneric(point.declaration) || symbol.size <= smallSize
      else { continue }
      found.append(
        Candidate(
          declaration: point.declaration, code: symbol.value..<(symbol.value &+ symbol.size),
          entry: point.entry))
    }
    return found
  }

  /// The search for the places in code that call functions.
  private struct Search {
    private let candidates: [Candidate]
    private let codes, entries: [UInt64: Int]
    /// The address of the code.
    private let start: UInt64
    /// How many calls each candidate has.
    private(set) var places: [Int]

    init(_ candidates: [Candidate], at start: UInt64) {
      self.candidates = candidates
      self.start = start
      let numbered = candidates.enumerated()
      codes = Dictionary(numbered.map { ($0.element.code.lowerBound, $0.offset) }) { first, _ in
        first
      }
      entries = Dictionary(numbered.map { ($0.element.entry, $0.offset) }) { first, _ in first }
      places = Array(repeating: 0, count: candidates.count)
    }

    /// Counts calls of a function's code, and the places outside of it where the compiler has put the look at
    /// its replacement entry, as it does in optimised code. That other bytes look like one of these, with the
    /// very address of a function or an entry, is as good as impossible.
    mutating func look(through code: UnsafeRawBufferPointer) {
      for offset in 0..<max(code.count - 6, 0) {
        switch unsafe code[offset] {
        case 0xe8, 0xe9:  // call, jmp
          if let index = codes[unsafe target(code, offset + 1)] { places[index] += 1 }
        case 0x8d where unsafe code[offset + 1] & 0xc7 == 5:  // lea distance(%rip), any register
          if let index = entries[unsafe target(code, offset + 2)],
            !candidates[index].code.contains(start &+ UInt64(offset))
          {
            places[index] += 1
          }
        default: continue
        }
      }
    }

    /// The address that a distance from the byte after it leads to.
    private func target(_ code: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
      let distance = unsafe code.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      return start &+ UInt64(offset + 4) &+ UInt64(bitPattern: Int64(distance))
    }
  }

  private static func isGeneric(_ declaration: FunctionDeclaration) -> Bool {
    declaration.genericSignature != nil
      || declaration.contextType?.nominal?.argumentLevels.contains { !$0.isEmpty } == true
  }
}
