// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingInterception
internal import WaxwingValues

/// Checks of values in memory, and of how they are copied and taken apart.
extension ABICheck {
  static let valueCanaries: [Canary] = [
    Canary(view: "value witnesses", witnesses),
    Canary(view: "copying values", copying),
    Canary(view: "enums", enums),
    Canary(view: "existential containers", containers),
    Canary(view: "errors", errors),
    Canary(view: "weak and unowned references", references),
    Canary(view: "layouts of values", layouts),
    Canary(view: "strings", strings),
  ]

  /// Checks strings whose bytes are in their two words, in memory that Swift has allocated, and in
  /// the program's file, with and without characters beyond ASCII. Strings that C makes are read by
  /// Swift.
  @Sendable private static func strings(_ view: ABIView) throws(ABIMismatch) {
    try text(view, "an empty string", "")
    try text(view, "a short string", String(decoding: Array("waxwing".utf8), as: UTF8.self))
    try text(view, "a string of 15 bytes", String(repeating: "w", count: 15))
    try text(view, "a short string with an umlaut", String(repeating: "ü", count: 2))
    try text(view, "a long string", String(repeating: "waxwing ", count: 9))
    try text(view, "a long string with umlauts", String(repeating: "wäxwing ", count: 9))
    try text(view, "a literal", "a literal that does not fit into two words")
    let made = withUnsafeTemporaryAllocation(of: String.self, capacity: 1) { place in
      wax_abi_make_small_string("waxwing", 7, place.baseAddress)
      return place[0]
    }
    try view.expect("the length of a made string", is: 7, made.utf8.count)
    try view.expect(made == "waxwing", "a made string is '\(made)'")
  }

  private static func text(
    _ view: ABIView, _ what: String, _ string: String
  ) throws(ABIMismatch) {
    var bytes: UnsafePointer<CChar>?
    var count = 0
    var copy = [UInt8](repeating: 0, count: string.utf8.count)
    let (isRead, isThere) = withUnsafePointer(to: string) { place in
      let isRead = wax_abi_string_bytes(place, &bytes, &count)
      return (isRead, wax_abi_memory_read(bytes, &copy, copy.count))
    }
    try view.expect(isRead, "\(what) is in another form")
    try view.expect("the length of \(what)", is: string.utf8.count, count)
    try view.expect(
      isThere && copy.elementsEqual(string.utf8), "the bytes of \(what) are others")
  }

  @Sendable private static func witnesses(_ view: ABIView) throws(ABIMismatch) {
    let metadata = TypeMetadata.pointer(to: ABISample.Mixed.self)
    let table = try view.pointer("the value witnesses", metadata, -8)
    try view.expect("the size", at: table, 64, is: MemoryLayout<ABISample.Mixed>.size)
    try view.expect("the stride", at: table, 72, is: MemoryLayout<ABISample.Mixed>.stride)
    try view.expect("the flags", at: table, 80, is: UInt32(0x1_0007))
    try view.expect(ValueWitnesses(of: Int.self).isTrivial, "an Int is not trivial")
    try view.expect(
      !ValueWitnesses(of: ABISample.Large.self).isInline, "four words fit an existential's buffer")
    try view.expect(
      !ValueWitnesses(of: ABISample.Weak.self).isBitwiseTakable,
      "weak references are moved as bytes")
    try view.expect(
      !ValueWitnesses(of: ABISample.Unique.type).isCopyable, "a ~Copyable type can be copied")
  }

  /// Over nil, which whatever function it is may take for an old value.
  @Sendable private static func copying(_ view: ABIView) throws(ABIMismatch) {
    var object = ABISample.Base()
    var target = ABISample.Mixed(number: 0, object: nil, short: 0)
    let source = ABISample.Mixed(number: 5, object: object, short: 6)
    withUnsafePointer(to: source) { source in
      withUnsafeMutablePointer(to: &target) { target in
        ValueWitnesses(of: ABISample.Mixed.self).copy(
          source, to: UnsafeMutableRawPointer(target))
      }
    }
    try view.expect("a number in a copy", is: 5, target.number)
    try view.expect("the last field of a copy", is: 6, target.short)
    try view.expect(target.object === object, "a copy refers to another object")
    let isShared = withExtendedLifetime(source) { !isKnownUniquelyReferenced(&object) }
    try view.expect(isShared, "a copy holds no reference")
  }

  @Sendable private static func enums(_ view: ABIView) throws(ABIMismatch) {
    let table = try view.pointer(
      "the value witnesses", TypeMetadata.pointer(to: ABISample.Choice.self), -8)
    for index in 11...13 { _ = try view.pointer("an enum's witness", table, 8 * index) }
    let form = EnumForm(ABISample.Choice.self)
    let names = form.cases.map(\.shownName)
    try view.expect(names == ["number", "text", "none"], "the cases are \(names)")
    let values: [(ABISample.Choice, Int)] = [
      (.number(3), 0), (.text("a", count: 4), 1), (.none, 2),
    ]
    for (value, index) in values {
      let tag = withUnsafePointer(to: value) { form.case(of: $0)?.tag ?? 0 }
      try view.expect("the tag of a case", is: index, Int(tag))
    }
    let elements = EnumForm.elements(of: form.cases[1])
    try view.expect("the offset in a payload", is: 16, elements.last?.offset ?? 0)
    try view.expect("a payload", is: 3, payload(of: ABISample.Choice.number(3), form))
    try view.expect("a value that was put together", is: 9, built(9, form))
    let tree = EnumForm(ABISample.Tree.self)
    try view.expect("a payload in a box", is: 8, payload(of: ABISample.Tree.node(8), tree))
  }

  private static func payload<Value>(of value: Value, _ form: EnumForm) -> Int {
    var number = 0
    withUnsafePointer(to: value) { value in
      guard let enumCase = form.case(of: value) else { return }
      form.withPayload(of: value, enumCase) { number = $0.load(as: Int.self) }
    }
    return number
  }

  private static func built(_ number: Int, _ form: EnumForm) -> Int {
    let memory = UnsafeMutablePointer<ABISample.Choice>.allocate(capacity: 1)
    defer { memory.deallocate() }
    form.build(form.cases[0], into: UnsafeMutableRawPointer(memory)) {
      $0.storeBytes(of: number, as: Int.self)
    }
    if case .number(let found) = memory.move() { return found }
    return 0
  }

  @Sendable private static func containers(_ view: ABIView) throws(ABIMismatch) {
    try view.expect("the size of Any", is: 32, MemoryLayout<Any>.size)
    try view.expect("the size of any P", is: 40, MemoryLayout<any ABISample.Numbered>.size)
    try view.expect(
      "the size of a class-bound any P", is: 16, MemoryLayout<any ABISample.Bound>.size)
    let small: any ABISample.Numbered = 17
    let table = swift_conformsToProtocol(
      TypeMetadata.pointer(to: Int.self), try protocolDescriptor(view))
    try container(of: small, type: Int.self, holds: 17, table, view)
    let large: any ABISample.Numbered = ABISample.Large()
    try container(of: large, type: ABISample.Large.self, holds: 1, nil, view)
    let object = ABISample.Bounded()
    let bound: any ABISample.Bound = object
    let word = withUnsafeBytes(of: bound) { $0.load(as: UnsafeRawPointer.self) }
    try view.expect(
      "a class-bound any P", is: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()), word
    )
    try view.expect(
      TypeMetadata.existentialForm(of: (any ABISample.Bound).self) == .object,
      "a class-bound any P is not one reference")
  }

  private static func container(
    of value: any ABISample.Numbered, type: any Any.Type, holds number: Int,
    _ table: UnsafeRawPointer?, _ view: ABIView
  ) throws(ABIMismatch) {
    try withUnsafePointer(to: value) { (pointer) throws(ABIMismatch) in
      let memory = UnsafeRawPointer(pointer)
      try view.expect("the type", at: memory, 24, is: TypeMetadata.pointer(to: type))
      if let table { try view.expect("the witness table", at: memory, 32, is: table) }
      try view.expect("the value", at: ExistentialContainer(memory).value, 0, is: number)
    }
  }

  @Sendable private static func errors(_ view: ABIView) throws(ABIMismatch) {
    try view.expect("the size of any Error", is: 8, MemoryLayout<any Error>.size)
    let word = SwiftErrorBox.make(ABISample.Failure(number: 23))
    defer { SwiftErrorBox.release(word) }
    guard let box = UnsafeRawPointer(bitPattern: UInt(word)) else {
      throw ABIMismatch("an error is 0")
    }
    try view.expect(SwiftErrorBox.isError(word), "the boxes of errors do not begin with one word")
    var type: UnsafeRawPointer?
    let value = wax_abi_error_value(box, &type)
    try view.expect(
      "an error's type", is: TypeMetadata.pointer(to: ABISample.Failure.self), type)
    guard let value else { throw ABIMismatch("an error has no value") }
    try view.expect("an error's value", at: value, 0, is: 23)
  }

  @Sendable private static func references(_ view: ABIView) throws(ABIMismatch) {
    var object: ABISample.Base? = ABISample.Base()
    var holder = ABISample.Weak(object: object)
    let address = object.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    try view.expect("the size of a weak reference", is: 8, MemoryLayout<ABISample.Weak>.size)
    let loaded = load(&holder)
    try view.expect("what a weak reference refers to", is: address, loaded)
    object = nil
    try view.expect("a weak reference to nothing", is: nil, load(&holder))
    let derived = ABISample.Derived()
    try withExtendedLifetime(derived) { () throws(ABIMismatch) in
      let base = UnsafeRawPointer(Unmanaged.passUnretained(derived).toOpaque())
      let target = Unmanaged.passUnretained(ABISample.unownedTarget).toOpaque()
      try view.expect("an unowned reference", at: base, 40, is: UnsafeRawPointer(target))
    }
  }

  private static func load(_ holder: inout ABISample.Weak) -> UnsafeRawPointer? {
    withUnsafeMutableBytes(of: &holder) { bytes in
      let object = bytes.baseAddress.flatMap { wax_abi_weak_load($0) }
      if let object { ObjectReference.release(object) }
      return object.map { UnsafeRawPointer($0) }
    }
  }

  /// Checks how values are passed in registers.
  @Sendable private static func layouts(_ view: ABIView) throws(ABIMismatch) {
    let types: [(any Any.Type, String)] = [
      (Int.self, "integer0"), (Bool.self, "integer0"), (Double.self, "double0"),
      (Float.self, "float0"), (String.self, "integer0 pointer8"), ([Int].self, "pointer0"),
      (Int?.self, "opaque0"), (ABISample.Base.self, "pointer0"),
      ((() -> Void).self, "pointer0 pointer8"), (Any.self, "address"),
    ]
    for (type, expected) in types {
      let found = layout(of: type)
      try view.expect(found == expected, "\(type) is passed as \(found)")
    }
  }

  private static func layout(of type: any Any.Type) -> String {
    guard let value = try? ShapeReader.value(type) else { return "nothing" }
    guard case .direct(let shape) = value else { return "address" }
    return shape.leaves.map { "\($0.kind)\($0.offset)" }.joined(separator: " ")
  }
}
