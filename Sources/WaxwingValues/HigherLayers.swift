// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import Synchronization
package import WaxwingLua

/// The services of higher layers for codecs and plans: function values cross through overrides and
/// closures, which need plans, which need codecs.
package protocol HigherLayers: Sendable {
  /// The codec of a function type.
  /// - Parameters:
  ///   - abstraction: How function values are called in the place where the value stands.
  ///   - isAutoclosure: Lua may also pass what the function is to return.
  /// - Throws: `UnsupportedType` if such functions cannot cross.
  func functionCodec(
    for type: any Any.Type, as abstraction: Abstraction, isAutoclosure: Bool
  ) throws(UnsupportedType) -> ValueCodec

  /// How function values are called that stand in a stored property.
  /// - Throws: `UnsupportedType` if that cannot be told.
  func abstraction(of field: TypeMetadata.Field) throws(UnsupportedType) -> Abstraction

  /// How function values are called that stand in a part of an enum's payload.
  /// - Throws: `UnsupportedType` if that cannot be told.
  func abstraction(
    of element: EnumForm.Element, of enumCase: EnumCase, in type: any Any.Type
  ) throws(UnsupportedType) -> Abstraction

  /// The Swift type of a proxy's closure, and whether it escapes.
  func closureType(_ closure: UnsafeMutableRawPointer) -> (type: any Any.Type, isEscaping: Bool)

  /// The type that a script has written, such as `[String: Int]`; nil: there is none of this name.
  /// - Parameter buffer: It has a value of the script's.
  func type(
    written text: String, _ buffer: UnsafeMutablePointer<wax_lua_buffer>
  ) -> (any Any.Type)?

  /// The names of a type's static members that are values of the type, such as those of an option set, in the
  /// program whose patch has the values in a buffer.
  func staticValues(
    of type: any Any.Type, _ buffer: UnsafeMutablePointer<wax_lua_buffer>
  ) -> Set<String>

  /// Initializes `target` with such a member's value. Code of the program's runs, with the state left; it is entered
  /// before and afterwards.
  /// - Parameter target: nil: nothing is read, and no code runs.
  /// - Returns: Whether there is a member of this name.
  func readStaticValue(
    _ name: String, of type: any Any.Type, _ buffer: UnsafeMutablePointer<wax_lua_buffer>,
    into target: UnsafeMutableRawPointer?
  ) -> Bool

  /// The serial number of the innermost patched call of this thread; 0: there is none.
  var innermostCall: UInt64 { get }

  /// Whether a patched call of this thread is still running.
  func isRunning(_ serial: UInt64) -> Bool

  /// The Lua state whose values a buffer carries.
  func state(of buffer: UnsafeMutablePointer<wax_lua_buffer>) -> LuaState?
}

/// The layers of this process. An entry point of a higher layer installs them before it asks for the
/// first codec.
package enum InstalledLayers {
  private static let layers = Mutex<(any HigherLayers)?>(nil)

  package static func install(_ layers: any HigherLayers) {
    Self.layers.withLock { $0 = $0 ?? layers }
  }

  package static var current: any HigherLayers {
    guard let layers = layers.withLock(\.self) else {
      preconditionFailure("a codec was asked for before OverrideLayers.install()")
    }
    return layers
  }
}
