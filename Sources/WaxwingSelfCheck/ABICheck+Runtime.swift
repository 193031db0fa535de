// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingValues

extension ABICheck {
  static let runtimeCanaries: [Canary] = [
    Canary(view: "runtime functions", runtimeFunctions),
    Canary(view: "objects", objects),
  ]

  /// Checks the functions that are bound when they are first called. If one is missing, that call
  /// would end the program.
  @Sendable private static func runtimeFunctions(_ view: ABIView) throws(ABIMismatch) {
    var index = 0
    while let symbol = wax_abi_function_name(index) {
      try view.expect(
        wax_abi_has_function(symbol), "the runtime has no \(String(cString: symbol))")
      index += 1
    }
  }

  /// Checks the memory of objects: `{ metadata, references }`, and then the stored properties. A
  /// reference is the address; nil is 0.
  @Sendable private static func objects(_ view: ABIView) throws(ABIMismatch) {
    var object: ABISample.Base? = ABISample.Base()
    let word = withUnsafeBytes(of: &object) { $0.load(as: UInt.self) }
    try view.expect(
      "the size of an optional reference", is: 8, MemoryLayout<ABISample.Base?>.size)
    guard let target = object, let address = UnsafeRawPointer(bitPattern: word) else {
      throw ABIMismatch("a reference is 0")
    }
    try view.expect(
      "what a reference holds", is: UnsafeRawPointer(Unmanaged.passUnretained(target).toOpaque()),
      address)
    try view.expect(
      "an object's metadata", at: address, 0, is: TypeMetadata.pointer(to: ABISample.Base.self))
    try view.expect("an object's first field", at: address, 16, is: target.number)
    object = nil
    try view.expect(
      "nil as a reference", is: 0, withUnsafeBytes(of: &object) { $0.load(as: UInt.self) })
  }
}
