// SPDX-License-Identifier: MIT

/// All ways through a function's code. Of instructions that are not known, such as `ret`, only those that
/// trap are looked at.
struct X86_64StubWalk {
  private typealias Instruction = X86_64Instruction

  /// Where code begins that was not looked at yet, and how many calls away from the function.
  private struct Place {
    let address: UInt
    let depth: Int
  }

  private let range: Range<UInt>
  private let outcome: (StubReader.Callee) -> StubReader.StubEnd
  private var places: [Place] = []
  private var seen: Set<UInt> = []
  /// The code that the function itself calls, in the image.
  private var calls: Set<UInt> = []
  private var instructionsLeft = 4000
  private var mayReturn = false

  private static let longestBlock: UInt = 1024
  private static let mostCalls = 3

  init(range: Range<UInt>, outcome: @escaping (StubReader.Callee) -> StubReader.StubEnd) {
    self.range = range
    self.outcome = outcome
  }

  mutating func run(from address: UInt) -> StubReader.StubEnd {
    places = [Place(address: address, depth: 0)]
    if runAll() { return .report }
    if !mayReturn { return .trap }
    // A question for the replacement, and what is in common.
    guard calls.count <= 2 else { return .other }
    places = calls.map { Place(address: $0, depth: 1) }
    return runAll() ? .report : .other
  }

  private mutating func runAll() -> Bool {
    while let place = places.popLast() {
      guard seen.insert(place.address).inserted else { continue }
      guard range.contains(place.address) else {
        leaves(place)
        continue
      }
      if runBlock(place) { return true }
    }
    return false
  }

  /// Follows the code until it goes elsewhere.
  private mutating func runBlock(_ place: Place) -> Bool {
    guard let start = UnsafeRawPointer(bitPattern: place.address) else {
      leaves(place)
      return false
    }
    var decoder = X86_64Decoder(
      start, byteLimit: Int(min(Self.longestBlock, range.upperBound - place.address)))
    var last: Instruction.Operand?
    while instructionsLeft > 0 {
      instructionsLeft -= 1
      let current = decoder.cursor
      guard let instruction = decoder.next() else {
        guard isTrap(current) else {
          leaves(place)
          return false
        }
        if let last { follow(last, place) }
        return false
      }
      last = nil
      switch instruction.operation {
      case .call:
        last = instruction.source
        switch call(instruction.source, place) {
        case .report: return true
        case .trap: return false
        case .other: break
        }
      case .jump: return leaves(to: instruction.source, from: current, place)
      case .jumpIfZero, .jumpIfNotZero, .conditionalJump:
        if case .immediate(let target) = instruction.source { add(target, place.depth) }
      default: break
      }
    }
    leaves(place)
    return false
  }

  /// Notes that the function itself returns, or continues outside of the code that is read.
  private mutating func leaves(_ place: Place) {
    if place.depth == 0 { mayReturn = true }
  }

  private mutating func add(_ target: Int, _ depth: Int) {
    places.append(Place(address: UInt(bitPattern: target), depth: depth))
  }

  private mutating func leaves(
    to target: Instruction.Operand, from jump: UnsafeRawPointer, _ place: Place
  ) -> Bool {
    switch target {
    case .immediate(let target):
      add(target, place.depth)
      return false
    case .global(let word):
      leaves(place)
      return outcome(.content(of: word, jump: UInt(bitPattern: jump))) == .report
    default:
      leaves(place)
      return false
    }
  }

  private mutating func call(
    _ target: Instruction.Operand, _ place: Place
  ) -> StubReader.StubEnd {
    switch target {
    case .immediate(let target):
      if place.depth == 0 { calls.insert(UInt(bitPattern: target)) }
      return outcome(.code(UInt(bitPattern: target)))
    case .global(let word): return outcome(.content(of: word, jump: nil))
    default: return .other
    }
  }

  /// A call that does not return, of a function that is not known.
  private mutating func follow(_ target: Instruction.Operand, _ place: Place) {
    guard case .immediate(let target) = target, place.depth < Self.mostCalls else { return }
    add(target, place.depth + 1)
  }

  /// Whether the code is `ud2`, which the compiler puts after calls that do not return.
  private func isTrap(_ code: UnsafeRawPointer) -> Bool {
    let address = UInt(bitPattern: code)
    guard range.contains(address), range.contains(address + 1) else { return false }
    return code.loadUnaligned(as: UInt16.self) == 0x0b0f
  }
}
