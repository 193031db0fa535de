// SPDX-License-Identifier: MIT

internal import CWaxwingABI

/// All ways through a function's code, with what registers hold of `self` and of addresses that the code names.
/// Stops on each way at the first instruction that is not known.
struct X86_64ClassTestWalk {
  private enum Value: Equatable {
    case receiver
    case classOfReceiver
    case address(UInt)
    case number(Int)
  }

  private typealias Registers = [Int: Value]

  private let owner: ClassTestReader.Owner
  private let start: UInt
  private var found = ClassTestReader.Findings()
  private struct Place {
    let address: UInt
    let registers: Registers
    /// How many calls away from the function.
    let depth: Int
  }

  private var places: [Place] = []
  private var seen: Set<UInt> = []
  private var instructionsLeft = 2000

  /// The register of `self`, and those that a call leaves alone: rbx, rsp, rbp, r12 to r15.
  private static let selfRegister = 13
  private static let preserved: Set<Int> = [3, 4, 5, 12, 13, 14, 15]
  /// The fifth argument of `swift_dynamicCast`: its lowest bit says that the cast has to succeed.
  private static let flagsRegister = 8
  private static let mostCalls = 2

  init(_ owner: ClassTestReader.Owner, start: UInt) {
    self.owner = owner
    self.start = start
  }

  mutating func run() -> ClassTestReader.Findings {
    places = [Place(address: start, registers: [Self.selfRegister: .receiver], depth: 0)]
    while let place = places.popLast() {
      if seen.insert(place.address).inserted { runBlock(place) }
    }
    return found
  }

  /// Follows the code until it goes elsewhere.
  private mutating func runBlock(_ place: Place) {
    guard let code = UnsafeRawPointer(bitPattern: place.address) else { return }
    var registers = place.registers
    var decoder = X86_64Decoder(code, byteLimit: 4096)
    while instructionsLeft > 0, let instruction = decoder.next() {
      instructionsLeft -= 1
      let target: UInt? =
        if case .immediate(let target) = instruction.source { UInt(bitPattern: target) } else {
          nil
        }
      switch instruction.operation {
      case .compare: compare(instruction, registers)
      case .call:
        if let target, !call(target, registers, place.depth) { return }
        registers = registers.filter { Self.preserved.contains($0.key) }
      case .jump:
        if let target, call(target, registers, Self.mostCalls) {
          add(target, registers, place.depth)
        }
        return
      case .jumpIfZero, .jumpIfNotZero, .conditionalJump:
        if let target { add(target, registers, place.depth) }
      default: apply(instruction, to: &registers)
      }
    }
  }

  private mutating func add(_ address: UInt, _ registers: Registers, _ depth: Int) {
    places.append(Place(address: address, registers: registers, depth: depth))
  }

  /// Follows a call on the same `self`, if its target is code of the same image.
  /// - Returns: False if no code runs after it.
  private mutating func call(_ target: UInt, _ registers: Registers, _ depth: Int) -> Bool {
    if target == start {
      found.callsItself = true
      return true
    }
    let place = UnsafeRawPointer(bitPattern: target)
    let function = place.map { UInt(bitPattern: wax_abi_code_target($0)) } ?? target
    if owner.handsBack(function) { found.callsItself = true }
    if case .number(let flags)? = registers[Self.flagsRegister], flags & 1 != 0,
      wax_abi_is_dynamic_cast(UnsafeRawPointer(bitPattern: function))
    {
      found.mayEnd = true
    }
    guard owner.isFatal(function) else {
      if function == target, depth < Self.mostCalls, registers[Self.selfRegister] == .receiver {
        add(target, [Self.selfRegister: .receiver], depth + 1)
      }
      return true
    }
    found.mayEnd = true
    return false
  }

  private func apply(_ instruction: X86_64Instruction, to registers: inout Registers) {
    guard case .integer(let destination) = instruction.destination else { return }
    let value: Value? =
      switch (instruction.operation, instruction.source) {
      case (.move, .immediate(let number)): .number(number)
      case (.move, _) where instruction.size == 8: value(of: instruction.source, registers)
      case (.loadAddress, .global(let address)): .address(address)
      case (.add, .immediate(let distance)):
        if case .address(let address)? = registers[destination] {
          .address(address &+ UInt(bitPattern: distance))
        } else {
          nil
        }
      default: nil
      }
    registers[destination] = value
  }

  private func value(
    of operand: X86_64Instruction.Operand, _ registers: Registers
  ) -> Value? {
    switch operand {
    case .integer(let register): registers[register]
    case .memory(let base?, nil, 0) where registers[base] == .receiver: .classOfReceiver
    default: nil
    }
  }

  private mutating func compare(_ instruction: X86_64Instruction, _ registers: Registers) {
    let values = [instruction.destination, instruction.source].map { value(of: $0, registers) }
    guard values.contains(.address(owner.metadata)) else { return }
    if values.contains(.classOfReceiver) { found.testsObject = true }
    if values.contains(.receiver) { found.testsType = true }
  }
}
