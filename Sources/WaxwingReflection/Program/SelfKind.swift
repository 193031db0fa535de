// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingDeclarations

/// How a method or an accessor uses its receiver.
package enum SelfKind: String, CaseIterable, Sendable {
  /// The function borrows the value, as a `borrowing` one does.
  case nonmutating
  case mutating
  /// The function takes the value over.
  case consuming
}

extension RunningFunction {
  /// Symbols do not tell. It is known from facts that were written down where the program was built, or
  /// from its debugging information; of the public methods of Swift's own libraries from a table. Of accessors
  /// that are no patch points it is not looked for. nil: nothing tells, or it is no method or accessor of an
  /// instance.
  package var selfKind: SelfKind? {
    if let code = enteredCode {
      return declaration.hasInstanceSelf
        ? facts?.selfKind(of: symbol, codeAt: code.address) : nil
    }
    guard isPatchPoint else {
      return Self.libraryKinds[symbol]
        ?? (isMethodOfValues ? facts?.selfKind(ofCalled: symbol) : nil)
    }
    return declaration.hasInstanceSelf ? facts?.selfKind(of: symbol) : nil
  }

  /// Whether its code was compiled without optimisation, as debugging information tells: what calls it then comes by its
  /// code, and looks at what it returns.
  package var isUnoptimized: Bool {
    codeAddress.map { facts?.isUnoptimized(codeAt: $0) == true } ?? false
  }

  /// What debugging information tells of the function's code; nil: nothing.
  package var codeDescription: CodeDescription? {
    codeAddress.flatMap { facts?.description(ofCodeAt: $0) }
  }

  /// Whether the function is a method of structs, enums or types that conform to a protocol.
  private var isMethodOfValues: Bool {
    guard declaration.hasInstanceSelf, !declaration.kind.isAccessor else { return false }
    return declaration.contextType?.nominal.map { $0.kind != .class } ?? true
  }

  private static let libraryKinds: [String: SelfKind] = {
    var count = 0
    let bytes = unsafe UnsafeRawBufferPointer(
      start: wax_abi_library_self_kinds(&count), count: count)
    var kinds: [String: SelfKind] = [:]
    for line in unsafe String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let space = line.lastIndex(of: " ") else { continue }
      kinds[String(line[..<space])] = SelfKind(rawValue: String(line[line.index(after: space)...]))
    }
    return kinds
  }()
}

extension FunctionDeclaration {
  /// Whether the function is a method or an accessor of an instance that exists before the call.
  package var hasInstanceSelf: Bool {
    guard context.memberOf != nil, !isStatic else { return false }
    switch kind {
    case .function, .operatorFunction: return true
    default: return kind.isAccessor
    }
  }
}
