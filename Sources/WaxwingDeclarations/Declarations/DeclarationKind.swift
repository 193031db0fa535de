// SPDX-License-Identifier: MIT

/// The kind of a declaration.
package enum DeclarationKind: Hashable, Sendable {
  /// A function or method that is not an operator.
  case function
  /// An operator function.
  case operatorFunction
  /// A class's allocating initializer, or the only initializer of a struct or enum.
  case allocatingInitializer
  /// A class's initializer on memory that is already there.
  case initializer
  /// A property's getter.
  case getter
  /// A property's setter.
  case setter
  /// A subscript's getter.
  case subscriptGetter
  /// A subscript's setter.
  case subscriptSetter
  /// Another accessor of a property.
  case accessor(Accessor)
  /// Another accessor of a subscript.
  case subscriptAccessor(Accessor)
  /// A property itself.
  case property
  /// A subscript itself.
  case `subscript`
  /// `deinit` without freeing the memory.
  case deinitializer
  /// `deinit` and freeing the memory.
  case deallocatingDeinitializer
  /// `deinit` on the actor that the class is isolated to.
  case isolatedDeinitializer
  /// A closure, counted from 0 within its context.
  case closure(Int)
  /// A closure that the compiler made.
  case implicitClosure(Int)
  /// The value of a parameter that the caller leaves out, counted from 0.
  case defaultArgument(Int)
  /// The initial value of a stored property.
  case propertyInitializer
  /// The wrapper of a wrapped property, from its wrapped value.
  case wrapperInitializer
  /// The wrapper of a wrapped property, from its projected value.
  case projectionInitializer
  /// The initializer of a wrapped property's field, for an initializer that assigns the property.
  case wrapperFieldInitializer
  /// The function with which the Objective-C runtime sets up a class's fields.
  case fieldInitializer
  /// The function with which the Objective-C runtime destroys a class's fields.
  case fieldDestroyer

  /// Whether the declaration is an accessor of either kind, getters and setters included.
  package var isAccessor: Bool {
    switch self {
    case .getter, .setter, .subscriptGetter, .subscriptSetter, .accessor, .subscriptAccessor: true
    default: false
    }
  }

  /// The name in Swift of an accessor that is neither a plain getter nor a setter: `read`,
  /// `willset`; nil for other declarations.
  package var accessorName: String? {
    switch self {
    case .accessor(let accessor), .subscriptAccessor(let accessor): accessor.rawValue
    default: nil
    }
  }

  /// Whether the declaration belongs to a subscript.
  package var isSubscript: Bool {
    switch self {
    case .subscriptGetter, .subscriptSetter, .subscriptAccessor, .subscript: true
    default: false
    }
  }
}

/// An accessor that is neither a plain getter nor a setter, as the official demangler names it.
package enum Accessor: String, Hashable, Sendable {
  /// Lends the value for reading, as a coroutine.
  case read
  /// `read` in its newer calling convention.
  case read2
  /// Lends the value for changing, as a coroutine.
  case modify
  /// `modify` in its newer calling convention.
  case modify2
  /// Initializes stored properties from a computed one.
  case initialize = "init"
  /// `willSet`.
  case willSet = "willset"
  /// `didSet`.
  case didSet = "didset"
  /// A global's getter that first runs its initializer.
  case globalGetter
  /// The oldest way of lending a value for changing.
  case materializeForSet
  /// Answers where the value is.
  case unsafeAddressor
  /// Answers where the value is, for changing.
  case unsafeMutableAddressor
  /// Answers where the value is, with an owner.
  case owningAddressor
  /// Answers where the value is, with an owner, for changing.
  case owningMutableAddressor
  /// Answers where the value is, with a native owner.
  case nativeOwningAddressor
  /// Answers where the value is, with a native owner, for changing.
  case nativeOwningMutableAddressor
  /// Answers where the value is and pins its owner.
  case nativePinningAddressor
  /// Answers where the value is and pins its owner, for changing.
  case nativePinningMutableAddressor
}
