// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingProcess
internal import Synchronization
internal import WaxwingDeclarations
package import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// A class that a patch has made: its metadata, and the objects that are alive.
///
/// Its metadata is a copy of the superclass's with a descriptor of its own, as the superclass has the
/// fields and the vtable. Lives as long as the process, as the runtime keeps metadata: a patch that
/// makes a class of the same name over the same superclass finds the one that was made before.
/// Unchecked: sets are under locks; what is fixed is there before the class is known.
package final class LuaClass: @unchecked Sendable {
  /// The name of the class, such as `FrozenAccount`.
  package let name: String
  /// The module of the class, which is the name of the patch.
  let module: String
  package let superclass: any Any.Type
  /// The superclass if it is one of Lua's too.
  package let parent: LuaClass?
  /// The nearest superclass of Swift's.
  package let swiftSuperclass: any Any.Type
  /// How many classes of Lua's are between it and the nearest of Swift's, itself counted.
  package let depth: Int
  package let metadata: UnsafeMutableRawPointer

  private let objects = Mutex<Set<UInt>>([])
  private let finalizers = Mutex<[Finalizer]>([])
  /// Where the metadata has `modify` coroutines that are made for it or for a class above it, in bytes.
  private let coroutines: Mutex<Set<Int>>
  /// The classes of which it is the superclass.
  private let children = Mutex<[LuaClass]>([])

  private struct Finalizer: Sendable {
    let owner: ObjectIdentifier
    let body: @Sendable (UnsafeMutableRawPointer) -> Void
  }

  /// - Throws: `LuaClassError` if there is no memory left.
  init(_ name: String, module: String, over superclass: any Any.Type) throws(LuaClassError) {
    self.name = name
    self.module = module
    self.superclass = superclass
    let parent = LuaClass.of(superclass)
    self.parent = parent
    swiftSuperclass = parent?.swiftSuperclass ?? superclass
    depth = (parent?.depth ?? 0) + 1
    coroutines = Mutex(parent?.modifyOffsets ?? [])
    let layout = Layout(superclass)
    guard let block = Self.copy(layout, below: parent),
      let descriptor = Self.descriptor(name, module, layout)
    else { throw LuaClassError("out of memory for classes: restart the program") }
    metadata = block + Layout.blockSize + layout.addressPoint
    metadata.storeBytes(
      of: TypeMetadata.pointer(to: superclass), toByteOffset: Layout.superclassOffset,
      as: UnsafeRawPointer.self)
    metadata.storeBytes(
      of: UnsafeRawPointer(descriptor), toByteOffset: Layout.descriptorOffset,
      as: UnsafeRawPointer.self)
    wax_abi_made_class_init(
      block.assumingMemoryBound(to: wax_abi_made_class.self), metadata,
      Unmanaged.passUnretained(self).toOpaque()
    ) { context, object in
      guard let context, let object else { return }
      Unmanaged<LuaClass>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.ended(object) }
    }
  }

  /// The name of the class with its module, such as `overdraft.FrozenAccount`.
  package var qualifiedName: String { "\(module).\(name)" }
  package var type: any Any.Type { TypeMetadata.type(at: UnsafeRawPointer(metadata)) }

  /// The class of Lua's that a type is; nil: it is none.
  package static func of(_ type: any Any.Type) -> LuaClass? {
    guard TypeMetadata.kind(of: type) == .class,
      let made = wax_abi_made_class_of(TypeMetadata.pointer(to: type)),
      let context = made.pointee.context
    else { return nil }
    return Unmanaged<LuaClass>.fromOpaque(context).takeUnretainedValue()
  }

  /// Whether an object is one of this class or of one below it.
  /// - Parameter word: The object; or where `isType`, the metadata of a class.
  @inline(__always)
  func isClass(of word: UInt64, isType: Bool) -> Bool {
    guard let pointer = UnsafeRawPointer(bitPattern: UInt(word)) else { return false }
    return wax_abi_made_class_is(
      isType ? pointer : pointer.load(as: UnsafeRawPointer.self), metadata)
  }

  // MARK: Methods

  /// The code in the vtable where the nearest class of the program has a method; nil if the
  /// receiver's class was not made by a patch, or the method is not in the vtable.
  /// - Parameter word: An object, or the metadata of a class if `isType`.
  static func method(_ method: UInt, on word: UInt64, isType: Bool) -> UnsafeRawPointer? {
    guard LuaClasses.areThere, let pointer = UnsafeRawPointer(bitPattern: UInt(word))
    else { return nil }
    let metadata = isType ? pointer : pointer.load(as: UnsafeRawPointer.self)
    guard let made = of(TypeMetadata.type(at: metadata)) else { return nil }
    let places = Layout(made.swiftSuperclass).places(of: method)
    guard places.count == 1 else { return nil }
    return metadata.load(fromByteOffset: places[0], as: UnsafeRawPointer.self)
  }

  // MARK: Objects

  /// How many objects of exactly this class are alive.
  package var liveObjects: Int { objects.withLock { $0.count } }

  /// How many of them are held by others than a Lua state.
  /// - Parameter hasProxy: Whether the state holds a reference to an object.
  package func heldObjects(_ hasProxy: (UnsafeMutableRawPointer) -> Bool) -> Int {
    // Who is about to be destroyed takes itself out first: what is in the set is there.
    objects.withLock { objects in
      objects.count { address in
        guard let object = UnsafeMutableRawPointer(bitPattern: address) else { return false }
        return wax_abi_retain_count(object) > (hasProxy(object) ? 1 : 0)
      }
    }
  }

  /// An object whose fields are not initialized, at +1.
  package func allocate() -> UnsafeMutableRawPointer { Instance.allocate(metadata) }

  /// An object has been initialized.
  package static func began(_ object: UnsafeMutableRawPointer) {
    guard let made = of(ObjectReference.dynamicType(object)) else { return }
    made.objects.withLock { _ = $0.insert(UInt(bitPattern: object)) }
  }

  /// Sets the function to run when an object of exactly this class ends, before its fields are
  /// destroyed. If there are several owners, the newest one's function runs.
  package func setFinalizer(
    for owner: ObjectIdentifier, _ body: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    finalizers.withLock { $0.append(Finalizer(owner: owner, body: body)) }
  }

  package func removeFinalizer(for owner: ObjectIdentifier) {
    let removed = finalizers.withLock { finalizers in
      let removed = finalizers.filter { $0.owner == owner }
      finalizers.removeAll { $0.owner == owner }
      return removed
    }
    withExtendedLifetime(removed) {}  // not released under the lock
  }

  // MARK: What is changed in place

  /// Whether the class has a coroutine of its own here, or of a class of Lua's above it.
  package func hasModify(at offset: Int) -> Bool { coroutines.withLock { $0.contains(offset) } }

  /// Where the class has such coroutines.
  private var modifyOffsets: Set<Int> { coroutines.withLock { $0 } }

  /// Gives the coroutine to the class and to those below it. It stays when the patch ends: it calls what
  /// the vtable has.
  /// - Parameter claim: Puts the coroutine into a word of the metadata.
  package func setModify(
    at offset: Int, _ claim: (UnsafeMutableRawPointer) throws(InterceptionError) -> Void
  ) throws(InterceptionError) {
    try coroutines.withLock { (coroutines) throws(InterceptionError) in
      if coroutines.contains(offset) { return }
      try claim(metadata + offset)
      coroutines.insert(offset)
    }
    let code = metadata.load(fromByteOffset: offset, as: UnsafeRawPointer.self)
    for below in withDescendants where below.coroutines.withLock({ $0.insert(offset).inserted }) {
      below.metadata.storeBytes(of: code, toByteOffset: offset, as: UnsafeRawPointer.self)
    }
  }

  // MARK: Classes above and below

  /// Makes a class known to its superclass, if that is one of Lua's. Once for each class.
  func joinParent() { parent?.children.withLock { $0.append(self) } }

  /// The class and its subclasses, each after its superclass.
  var withDescendants: [LuaClass] {
    var found = [self]
    var next = 0
    while next < found.count {
      found += found[next].children.withLock { $0 }
      next += 1
    }
    LuaClasses.count(visits: found.count)
    return found
  }

  private func ended(_ object: UnsafeMutableRawPointer) {
    if wax_process_is_forked_child() { return }
    objects.withLock { objects in
      objects.remove(UInt(bitPattern: object))
      // A set keeps the memory of as many as there have ever been at once: a few may stay.
      if objects.isEmpty, objects.capacity > 64 { objects = [] }
    }
    finalizers.withLock { $0.last }?.body(object)
  }
}

/// Why a class cannot be made.
package struct LuaClassError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

// MARK: - Metadata

extension LuaClass {
  /// The sizes in the metadata of a class, of itself and of its objects: `TargetClassMetadata`
  /// without Objective-C, include/swift/ABI/Metadata.h, Swift 6.3.
  package struct Layout {
    static let superclassOffset = 8
    static let descriptorOffset = 40
    /// The offset of the function that destroys only the fields of the class, in an initializer
    /// that fails.
    static let fieldDestroyerOffset = 48
    static let vtableOffset = 56
    static let blockSize = MemoryLayout<wax_abi_made_class>.size

    let metadata: UnsafeRawPointer
    let descriptor: UnsafeRawPointer
    /// Bytes of an object.
    let instanceSize: Int
    let alignmentMask: Int
    /// Bytes of the metadata, and how many of them are in front of its address.
    let size: Int
    let addressPoint: Int

    package init(_ type: any Any.Type) {
      metadata = TypeMetadata.pointer(to: type)
      instanceSize = Int(metadata.load(fromByteOffset: 24, as: UInt32.self))
      alignmentMask = Int(metadata.load(fromByteOffset: 28, as: UInt16.self))
      size = Int(metadata.load(fromByteOffset: 32, as: UInt32.self))
      addressPoint = Int(metadata.load(fromByteOffset: 36, as: UInt32.self))
      descriptor = metadata.load(fromByteOffset: Self.descriptorOffset, as: UnsafeRawPointer.self)
    }

    /// Where in the metadata, in bytes, it holds this word as a method.
    package func places(of method: UInt) -> [Int] {
      stride(from: Self.vtableOffset, to: size - addressPoint, by: 8).filter {
        metadata.load(fromByteOffset: $0, as: UInt.self) == method
      }
    }
  }

  private static func copy(
    _ layout: Layout, below parent: LuaClass?
  ) -> UnsafeMutableRawPointer? {
    guard
      let block = MetadataArena.shared.allocate(Layout.blockSize + layout.size, alignment: 16)
    else { return nil }
    (block + Layout.blockSize).copyMemory(
      from: layout.metadata - layout.addressPoint, byteCount: layout.size)
    let metadata = block + Layout.blockSize + layout.addressPoint
    // It has no fields of its own: they are destroyed for the superclass.
    metadata.storeBytes(of: 0, toByteOffset: Layout.fieldDestroyerOffset, as: UInt.self)
    guard let parent else { return block }
    // What overrides have put into the vtable of a class of Lua's goes with them.
    let origin = Layout(parent.swiftSuperclass)
    (metadata + Layout.vtableOffset).copyMemory(
      from: origin.metadata + Layout.vtableOffset,
      byteCount: origin.size - origin.addressPoint - Layout.vtableOffset)
    for offset in parent.modifyOffsets {
      metadata.storeBytes(
        of: parent.metadata.load(fromByteOffset: offset, as: UInt.self), toByteOffset: offset,
        as: UInt.self)
    }
    return block
  }

  /// The descriptors of a module and of a class in it, which has neither fields nor methods of its own:
  /// `TargetModuleContextDescriptor` and `TargetClassDescriptor`, the same header.
  ///
  ///     { flags: UInt32, parent, name, access function, fields, superclass's name,
  ///       negative size, positive size, immediate members: words,
  ///       fields: UInt32, offset of their offsets: words }
  private static func descriptor(
    _ name: String, _ module: String, _ layout: Layout
  ) -> UnsafeMutableRawPointer? {
    let arena = MetadataArena.shared
    guard let context = arena.allocate(12), let moduleText = arena.text(module),
      let descriptor = arena.allocate(44), let text = arena.text(name)
    else { return nil }
    let unique: UInt32 = 0x40
    context.storeBytes(of: ContextDescriptor.Kind.module.rawValue | unique, as: UInt32.self)
    MetadataArena.relate(context + 8, to: moduleText)
    descriptor.storeBytes(of: ContextDescriptor.Kind.class.rawValue | unique, as: UInt32.self)
    MetadataArena.relate(descriptor + 4, to: context)
    MetadataArena.relate(descriptor + 8, to: text)
    (descriptor + 24).storeBytes(of: UInt32(layout.addressPoint / 8), as: UInt32.self)
    (descriptor + 28).storeBytes(
      of: UInt32((layout.size - layout.addressPoint) / 8), as: UInt32.self)
    return descriptor
  }
}
