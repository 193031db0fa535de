// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import ClobberProbe

/// Registers in which no two bytes sequences repeat, so that any mix-up shows.
func distinctRegisters(seed: UInt64) -> probe_registers {
  var registers = probe_registers()
  withUnsafeMutableBytes(of: &registers) { bytes in
    var state = seed
    for offset in stride(from: 0, to: bytes.count, by: 8) {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed ^= mixed >> 27
      bytes.storeBytes(of: mixed, toByteOffset: offset, as: UInt64.self)
    }
  }
  registers.mxcsr = unusualMXCSR
  return registers
}

/// Exceptions masked as always; rounding towards +infinity, denormals flushed to zero.
let unusualMXCSR: UInt64 = 0x1F80 | 0x4000 | 0x8000

let directionFlag: UInt64 = 1 << 10

/// The registers that carry arguments, by name, in the notation of both sides.
func arguments(_ registers: probe_registers) -> [String: UInt64] {
  var result = [
    "rdi": registers.rdi, "rsi": registers.rsi, "rdx": registers.rdx, "rcx": registers.rcx,
    "r8": registers.r8, "r9": registers.r9, "rax": registers.rax, "r12": registers.r12,
    "r13": registers.r13, "r14": registers.r14,
  ]
  for (index, vector) in vectors(registers).prefix(8).enumerated() {
    result["xmm\(index).low"] = vector.low
    result["xmm\(index).high"] = vector.high
  }
  return result
}

func arguments(_ frame: wax_runtime_frame) -> [String: UInt64] {
  let integer = frame.integer
  var result = [
    "rdi": integer.0, "rsi": integer.1, "rdx": integer.2, "rcx": integer.3, "r8": integer.4,
    "r9": integer.5, "rax": frame.indirect_result, "r12": frame.error, "r13": frame.self_register,
    "r14": frame.async_context,
  ]
  for (index, vector) in elements(of: frame.vector, as: wax_runtime_vector.self).enumerated() {
    result["xmm\(index).low"] = vector.low
    result["xmm\(index).high"] = vector.high
  }
  return result
}

/// The registers that carry results, r12 aside.
func results(_ registers: probe_registers) -> [String: UInt64] {
  var result = [
    "rax": registers.rax, "rdx": registers.rdx, "rcx": registers.rcx, "r8": registers.r8,
  ]
  for (index, vector) in vectors(registers).prefix(4).enumerated() {
    result["xmm\(index).low"] = vector.low
    result["xmm\(index).high"] = vector.high
  }
  return result
}

func results(_ frame: wax_runtime_frame) -> [String: UInt64] {
  let integer = frame.integer_result
  var result = ["rax": integer.0, "rdx": integer.1, "rcx": integer.2, "r8": integer.3]
  for (index, vector) in elements(of: frame.vector_result, as: wax_runtime_vector.self).enumerated()
  {
    result["xmm\(index).low"] = vector.low
    result["xmm\(index).high"] = vector.high
  }
  return result
}

/// The registers that a callee keeps, r12 aside.
func kept(_ registers: probe_registers) -> [String: UInt64] {
  [
    "rbx": registers.rbx, "rbp": registers.rbp, "r13": registers.r13, "r14": registers.r14,
    "r15": registers.r15, "mxcsr": registers.mxcsr,
  ]
}

func stack(_ registers: probe_registers) -> [UInt64] {
  elements(of: registers.stack, as: UInt64.self)
}

/// A frame with the argument registers of `registers`; `stack` is left null.
func frame(_ registers: probe_registers) -> wax_runtime_frame {
  var frame = wax_runtime_frame()
  frame.integer = (
    registers.rdi, registers.rsi, registers.rdx, registers.rcx, registers.r8, registers.r9
  )
  frame.indirect_result = registers.rax
  frame.self_register = registers.r13
  frame.error = registers.r12
  frame.entry_error = registers.r12
  frame.async_context = registers.r14
  withUnsafeMutableBytes(of: &frame.vector) { to in
    withUnsafeBytes(of: registers.xmm) { to.copyMemory(from: .init(rebasing: $0[..<128])) }
  }
  return frame
}

/// Puts the result registers of `registers` into the frame, r12 aside.
func setResults(of frame: inout wax_runtime_frame, to registers: probe_registers) {
  frame.integer_result = (registers.rax, registers.rdx, registers.rcx, registers.r8)
  withUnsafeMutableBytes(of: &frame.vector_result) { to in
    withUnsafeBytes(of: registers.xmm) { to.copyMemory(from: .init(rebasing: $0[..<64])) }
  }
}

private func vectors(_ registers: probe_registers) -> [probe_vector] {
  elements(of: registers.xmm, as: probe_vector.self)
}

private func elements<Tuple, Element>(of tuple: Tuple, as: Element.Type) -> [Element] {
  withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: Element.self)) }
}
