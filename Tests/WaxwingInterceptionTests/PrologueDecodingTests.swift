// SPDX-License-Identifier: MIT

import Expectations
import Glibc
import Testing
import WaxwingInterception

/// Machine code, and which argument registers it reads.
struct CodeCase: CustomTestStringConvertible, Sendable {
  /// As a disassembler shows it.
  var assembly: String
  var bytes: [UInt8]
  var integers: UInt8 = 0
  var vectors: UInt8 = 0
  var stackWords: Set<Int> = []

  var testDescription: String { assembly }
}

let readingCases = [
  CodeCase(assembly: "endbr64", bytes: [0xf3, 0x0f, 0x1e, 0xfa]),
  CodeCase(assembly: "mov %rdi,%rbx", bytes: [0x48, 0x89, 0xfb], integers: 0b1),
  CodeCase(assembly: "mov %esi,%ebp", bytes: [0x89, 0xf5], integers: 0b10),
  CodeCase(assembly: "mov %sil,%al", bytes: [0x40, 0x88, 0xf0], integers: 0b10),
  CodeCase(assembly: "mov %dh,%al: rdx, not rsi", bytes: [0x88, 0xf0], integers: 0b100),
  CodeCase(assembly: "mov %rdx,-0x40(%rbp)", bytes: [0x48, 0x89, 0x55, 0xc0], integers: 0b100),
  CodeCase(
    assembly: "mov %rcx,-0x98(%rbp)", bytes: [0x48, 0x89, 0x8d, 0x68, 0xff, 0xff, 0xff],
    integers: 0b1000),
  CodeCase(assembly: "mov %r8w,(%rsp)", bytes: [0x66, 0x44, 0x89, 0x04, 0x24], integers: 0b1_0000),
  CodeCase(assembly: "push %r9", bytes: [0x41, 0x51], integers: 0b10_0000),
  CodeCase(assembly: "push %rax; push $1; pop %rdx", bytes: [0x50, 0x6a, 0x01, 0x5a]),
  CodeCase(assembly: "movzbl %sil,%ebp", bytes: [0x40, 0x0f, 0xb6, 0xee], integers: 0b10),
  CodeCase(assembly: "movslq %edi,%rbx", bytes: [0x48, 0x63, 0xdf], integers: 0b1),
  CodeCase(assembly: "and $1,%edi", bytes: [0x83, 0xe7, 0x01], integers: 0b1),
  CodeCase(assembly: "mov %r13,0x10(%rdi)", bytes: [0x4c, 0x89, 0x6f, 0x10], integers: 0b1),
  CodeCase(
    assembly: "movss %xmm7,0xc(%rsp)", bytes: [0xf3, 0x0f, 0x11, 0x7c, 0x24, 0x0c], vectors: 0x80),
  CodeCase(assembly: "movsd %xmm0,(%rsp)", bytes: [0xf2, 0x0f, 0x11, 0x04, 0x24], vectors: 0x01),
  CodeCase(
    assembly: "movaps %xmm1,0x10(%rsp)", bytes: [0x0f, 0x29, 0x4c, 0x24, 0x10], vectors: 0x02),
  CodeCase(assembly: "movups %xmm2,(%rax)", bytes: [0x0f, 0x11, 0x10], vectors: 0x04),
  CodeCase(assembly: "movq %xmm3,%rax", bytes: [0x66, 0x48, 0x0f, 0x7e, 0xd8], vectors: 0x08),
  CodeCase(assembly: "pextrw $0,%xmm4,%eax", bytes: [0x66, 0x0f, 0xc5, 0xc4, 0x00], vectors: 0x10),
  CodeCase(assembly: "movaps %xmm8,%xmm9", bytes: [0x45, 0x0f, 0x28, 0xc8]),
  CodeCase(
    assembly: "xor %edi,%edi; mov %rdi,%rbx", bytes: [0x31, 0xff, 0x48, 0x89, 0xfb]),
  CodeCase(
    assembly: "lea -8(%rbp),%rdi; push %rdi", bytes: [0x48, 0x8d, 0x7d, 0xf8, 0x57]),
  CodeCase(
    assembly: "lea 0x100(%rip),%rdx; mov %rdx,%rdi",
    bytes: [0x48, 0x8d, 0x15, 0x00, 0x01, 0x00, 0x00, 0x48, 0x89, 0xd7]),
  CodeCase(
    assembly: "xorps %xmm0,%xmm0; movaps %xmm0,(%rsp)",
    bytes: [0x0f, 0x57, 0xc0, 0x0f, 0x29, 0x04, 0x24]),
  CodeCase(
    assembly: "mov %rdi,%rcx; mov %rcx,%rbx: a copy of rdi",
    bytes: [0x48, 0x89, 0xf9, 0x48, 0x89, 0xcb],
    integers: 0b1),
  CodeCase(
    assembly: "call; push %rdi: of the callee's making",
    bytes: [0xe8, 0x00, 0x00, 0x00, 0x00, 0x57]),
  CodeCase(assembly: "mov 8(%rsp),%rax", bytes: [0x48, 0x8b, 0x44, 0x24, 0x08], stackWords: [0]),
  CodeCase(
    assembly: "push %rbp; mov %rsp,%rbp; mov 0x18(%rbp),%rax",
    bytes: [0x55, 0x48, 0x89, 0xe5, 0x48, 0x8b, 0x45, 0x18], stackWords: [1]),
  CodeCase(
    assembly: "sub $0x28,%rsp; movaps 0x30(%rsp),%xmm0",
    bytes: [0x48, 0x83, 0xec, 0x28, 0x0f, 0x28, 0x44, 0x24, 0x30], stackWords: [0, 1]),
  CodeCase(assembly: "mov (%rsp),%rax: the return address", bytes: [0x48, 0x8b, 0x04, 0x24]),
  CodeCase(
    assembly: "test %rax,%rax; je +1; push %rdi", bytes: [0x48, 0x85, 0xc0, 0x74, 0x01, 0x57],
    integers: 0b1),
  CodeCase(
    assembly: "push %rax; jmp +1; push %rdi; push %rsi", bytes: [0x50, 0xeb, 0x01, 0x57, 0x56],
    integers: 0b10),
]

let unknownCases = [
  CodeCase(assembly: "ret", bytes: [0xc3]),
  CodeCase(assembly: "ud2", bytes: [0x0f, 0x0b]),
  CodeCase(assembly: "syscall", bytes: [0x0f, 0x05]),
  CodeCase(assembly: "int3", bytes: [0xcc]),
  CodeCase(assembly: "hlt", bytes: [0xf4]),
  CodeCase(assembly: "not an instruction", bytes: [0x06]),
  CodeCase(assembly: "vmovaps %xmm0,%xmm1", bytes: [0xc5, 0xf8, 0x28, 0xc8]),
  CodeCase(assembly: "leave", bytes: [0xc9]),
  CodeCase(assembly: "jmp *%rax", bytes: [0xff, 0xe0]),
  CodeCase(assembly: "jmp at the start", bytes: [0xeb, 0x00]),
  CodeCase(assembly: "endbr64; jmp", bytes: [0xf3, 0x0f, 0x1e, 0xfa, 0xe9, 0, 0, 0, 0]),
  CodeCase(assembly: "push %rax; jmp to itself", bytes: [0x50, 0xeb, 0xfe]),
]

private let identity: UInt = 0x1122_3344_5566_7788

/// movabs $identity,%rsi; call
private let question: [UInt8] =
  [0x48, 0xbe, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11] + [0xe8, 0, 0, 0, 0]

/// jmp *%rax
private let jumpToReplacement: [UInt8] = [0xff, 0xe0]

/// Reads code that ends where readable memory ends.
private func savedArguments(_ code: [UInt8]) throws -> SavedArguments? {
  let page = 4096
  let pages = mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  let start = try #require(pages != MAP_FAILED ? pages : nil)
  defer { munmap(start, 2 * page) }
  try #require(mprotect(start + page, page, PROT_NONE) == 0)
  let function = start + page - code.count
  function.copyMemory(from: code, byteCount: code.count)
  return PrologueReader.savedArguments(
    of: function, identity: UnsafeRawPointer(bitPattern: identity),
    byteLimit: code.count)
}

@Suite(.enabled(if: Invocation.isSupported)) struct PrologueDecodingTests {
  @Test(arguments: readingCases)
  func `a register counts when its argument is read`(_ code: CodeCase) throws {
    let saved = try #require(try savedArguments(code.bytes + question + jumpToReplacement))
    expectEqual(saved.registers, .init(integer: code.integers, vector: code.vectors))
    expectEqual(saved.stackWords, code.stackWords)
  }

  @Test(arguments: unknownCases)
  func `code that is not a dynamic function's is not read`(_ code: CodeCase) throws {
    #expect(try savedArguments(code.bytes + question) == nil)
  }

  /// Without jumps, which lead behind the end of code that is cut off.
  @Test(arguments: readingCases.filter { !$0.assembly.contains("jmp") })
  func `code that is cut off is not read, nor what lies behind it`(_ code: CodeCase) throws {
    let whole = code.bytes + question
    for length in whole.indices {
      #expect(try savedArguments(Array(whole.prefix(length))) == nil)
    }
  }

  @Test func `a call for another function's replacement does not count`() throws {
    var other = question
    other[2] ^= 1
    #expect(try savedArguments(other) == nil)
    let both = [0x57] + other + question + jumpToReplacement
    try expectEqual(savedArguments(both)?.registers, .init(integer: 0b1))
  }

  @Test func `a stack argument that only the replacement gets is read behind the question`() throws
  {
    // test %rax,%rax; jne +1; hlt; mov 8(%rsp),%rcx
    let code: [UInt8] =
      question + [0x48, 0x85, 0xc0, 0x75, 0x01, 0xf4, 0x48, 0x8b, 0x4c, 0x24, 0x08]
    let saved = try #require(try savedArguments(code + jumpToReplacement))
    expectEqual(saved.stackWords, [0])
    #expect(saved.isComplete)
    #expect(try savedArguments(question)?.isComplete == false)
  }

  @Test func `a merged function gets its address in a register`() throws {
    // movabs $identity,%rdx; jmp +1; hlt; push %rdi; mov %rdx,%rsi; call
    let code: [UInt8] =
      [0x48, 0xba] + question[2..<10] + [0xeb, 0x01, 0xf4, 0x57, 0x48, 0x89, 0xd6]
      + question[10...] + jumpToReplacement
    try expectEqual(savedArguments(code)?.registers, .init(integer: 0b1))
  }

  @Test func `a merged function gets its address on the stack`() throws {
    // movabs $identity,%rax; push %rax; call +1; hlt; push %r9; mov 0x10(%rsp),%rsi; call
    let code: [UInt8] =
      [0x48, 0xb8] + question[2..<10] + [0x50, 0xe8, 0x01, 0, 0, 0, 0xf4, 0x41, 0x51]
      + [0x48, 0x8b, 0x74, 0x24, 0x10] + question[10...] + jumpToReplacement
    try expectEqual(savedArguments(code)?.registers, .init(integer: 0b10_0000))
  }

  @Test func `a merged function that is called has had all stack arguments copied for it`() throws {
    // movabs $identity,%rax; push 8(%rsp) by way of %rcx; push %rax; call +1; hlt; mov 8(%rsp),%rsi; call
    let called: [UInt8] =
      [0x48, 0xb8] + question[2..<10] + [0x48, 0x8b, 0x4c, 0x24, 0x08, 0x51, 0x50]
      + [0xe8, 0x01, 0, 0, 0, 0xf4, 0x48, 0x8b, 0x74, 0x24, 0x08] + question[10...]
      + jumpToReplacement
    let saved = try #require(try savedArguments(called))
    #expect(saved.isForwarded)
    expectEqual(saved.stackWords, [0])
    #expect(try savedArguments(question + jumpToReplacement)?.isForwarded == false)
  }
}
