// SPDX-License-Identifier: MIT

import Glibc
import WaxwingBridge
import WaxwingDeclarations
import WaxwingInterception
import WaxwingReflection
import WaxwingValues

extension RunningFunction {
  var qualifiedName: String { qualifiedName(in: nil) }

  /// - Parameter className: The class of Lua's for whose objects it is overridden.
  func qualifiedName(in className: String?) -> String { "\(className ?? owner).\(selector)" }

  /// `Bank.Account`, or a module. Of a requirement that a patch lets a type fulfil, the type.
  var owner: String { witness?.typeName ?? declaration.typeName ?? declaration.module }

  /// `withdraw(_:memo:)`, `title.get`, `greet(_:) of Greeter`
  var selector: String {
    member + (witness.map { " of \($0.protocolName)" } ?? "")
  }

  private var member: String {
    switch declaration.kind {
    case .getter, .subscriptGetter: return declaration.selector + ".get"
    case .setter, .subscriptSetter: return declaration.selector + ".set"
    default: return declaration.selector
    }
  }
}

extension Override {
  package var qualifiedName: String { history.displayedName.text { checkedName } }
  /// The qualified name, made anew: for checks that ask each override once.
  var checkedName: String { function.qualifiedName(in: target?.luaClass.name) }
  var owner: String { target?.luaClass.qualifiedName ?? function.owner }
  var selector: String { function.selector }

  /// The points where the override is installed.
  var points: [InterceptionPoint] {
    guard let target, target.isInVtable else { return [point] }
    return vtablePoints
  }

  /// The words of the vtables of its class and of those below.
  var vtablePoints: [InterceptionPoint] { target?.classes.compactMap(vtablePoint) ?? [] }

  /// The word in the vtable of its class, or of one below: none asks who replaced it, so that the
  /// original is called as any function is.
  func vtablePoint(in made: LuaClass) -> InterceptionPoint? {
    unsafe target?.vtableWord(in: made).map { word in
      unsafe InterceptionPoint(word: word, stackBytes: stackBytes, isAsync: function.isAsync)
    }
  }

  /// The address of the entry that it replaces.
  var entry: UInt { unsafe UInt(bitPattern: point.entry) }

  /// - Precondition: The function is a patch point; the bridge sees to that.
  var point: InterceptionPoint {
    guard
      let entry = unsafe UnsafeMutablePointer<UnsafeMutableRawPointer?>(
        bitPattern: function.entry ?? 0),
      let address = unsafe UnsafeRawPointer(bitPattern: function.address)
    else {
      preconditionFailure(
        "an override of \(function.symbol), which is no patch point; please report this")
    }
    if let code = function.enteredCode {
      return unsafe InterceptionPoint(
        code: entry, size: Int(code.size), asyncPointer: function.isAsync ? address : nil,
        stackBytes: stackBytes)
    }
    if function.closure != nil {
      return unsafe InterceptionPoint(asyncPointer: entry, stackBytes: stackBytes)
    }
    // No function asks what stands in a class's metadata: the original is called as any function is.
    let isInMetadata = function.declaration.kind == .deallocatingDeinitializer
    if isInMetadata || function.witness != nil {
      return unsafe InterceptionPoint(
        word: entry, stackBytes: stackBytes, isAsync: function.isAsync)
    }
    return unsafe InterceptionPoint(
      entry: entry, function: address, stackBytes: stackBytes, isAsync: function.isAsync)
  }
}
