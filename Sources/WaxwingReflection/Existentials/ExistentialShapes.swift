// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingDeclarations

/// The key that distinguishes shapes.
struct ExistentialShapeKey: Hashable {
  let base: ProtocolComposition
  let places: Set<ConstrainedExistential.Place>

  init(_ type: ConstrainedExistential) {
    base = type.base
    places = Set(type.arguments.map(\.place))
  }
}

/// The shape that all types `any P<X>` of a kind share, as the runtime knows it.
struct ExistentialShape {
  let address: UInt
  /// Whether the shape is the only one in this process. Otherwise the runtime uses the first of
  /// those that are equal.
  let isUnique: Bool
  /// The parameter that the type at each place is an argument for.
  let parameters: [ConstrainedExistential.Place: Int]

  /// A shape that a name in an image refers to; nil: it is none, or of a kind that is not understood.
  ///
  ///     shape: { flags: UInt32, name of the type: relative pointer, … }
  ///     of several modules: { relative pointer, shape }
  init?(at address: UnsafeRawPointer, isUnique: Bool) {
    let shape = unsafe isUnique ? address : address + 4
    let name = unsafe shape + 4
    let type = unsafe MetadataName(name + Int(name.load(as: Int32.self))).type
    guard let type = type.flatMap({ ConstrainedExistential($0) }) else { return nil }
    var parameters: [ConstrainedExistential.Place: Int] = [:]
    for argument in type.arguments {
      guard case .genericParameter(depth: 0, let index) = argument.type else { return nil }
      parameters[argument.place] = index
    }
    guard parameters.values.sorted() == Array(0..<type.arguments.count) else { return nil }
    self.address = UInt(bitPattern: address)
    self.isUnique = isUnique
    self.parameters = parameters
    key = ExistentialShapeKey(type)
  }

  let key: ExistentialShapeKey

  init(
    made address: UInt, _ key: ExistentialShapeKey,
    _ parameters: [ConstrainedExistential.Place: Int]
  ) {
    self.address = address
    isUnique = false
    self.parameters = parameters
    self.key = key
  }

  /// The type of this shape with these types in their places.
  func type(_ arguments: [ConstrainedExistential.Place: any Any.Type]) -> (any Any.Type)? {
    var words = unsafe [UnsafeRawPointer?](repeating: nil, count: parameters.count)
    for (place, index) in parameters {
      guard let argument = arguments[place] else { return nil }
      unsafe words[index] = unsafeBitCast(argument, to: UnsafeRawPointer.self)
    }
    return unsafe words.withUnsafeBufferPointer { words in
      unsafe wax_abi_constrained_existential(
        UnsafeRawPointer(bitPattern: address), isUnique, words.baseAddress
      ).map { unsafe unsafeBitCast($0, to: Any.Type.self) }
    }
  }
}

/// The shapes that the images of this process have: what of them has been stripped or not, their names of types refer
/// to them.
enum ExistentialShapes {
  static func all() -> [ExistentialShapeKey: ExistentialShape] {
    var found: [UInt: Bool] = [:]
    unsafe withUnsafeMutablePointer(to: &found) { found in
      unsafe wax_abi_for_each_registered_names(
        { context, start, size in
          guard let start = unsafe start,
            let found = unsafe context?.assumingMemoryBound(to: [UInt: Bool].self),
            let names = unsafe TypeNames(UnsafeRawBufferPointer(start: start, count: Int(size)))
          else { return }
          unsafe found.pointee.merge(names.shapes) { first, _ in first }
        }, unsafe found)
    }
    var shapes: [ExistentialShapeKey: ExistentialShape] = [:]
    for (address, isUnique) in found {
      guard let address = unsafe UnsafeRawPointer(bitPattern: address),
        let shape = unsafe ExistentialShape(at: address, isUnique: isUnique)
      else { continue }
      shapes[shape.key] = shape
    }
    return shapes
  }
}
