// SPDX-License-Identifier: MIT

internal import Glibc

/// Names and numbers of users and groups, looked up in ways that other threads do not disturb.
package enum AccountNames {
  /// The number of a user, given by name or number; nil: there is no such name.
  static func user(_ text: String) -> UInt32? {
    unsafe UInt32(text)
      ?? withBuffer { buffer, size in
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        let number = unsafe getpwnam_r(text, &entry, buffer, size, &found)
        return unsafe (number, found.map { unsafe $0.pointee.pw_uid })
      }
  }

  /// The number of a group, given by name or number; nil: there is no such name.
  static func group(_ text: String) -> UInt32? {
    unsafe UInt32(text)
      ?? withBuffer { buffer, size in
        var entry = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        let number = unsafe getgrnam_r(text, &entry, buffer, size, &found)
        return unsafe (number, found.map { unsafe $0.pointee.gr_gid })
      }
  }

  /// The name of a user; nil: the system does not know the number.
  package static func name(ofUser uid: UInt32) -> String? {
    unsafe withBuffer { buffer, size in
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let number = unsafe getpwuid_r(uid, &entry, buffer, size, &found)
      return unsafe (number, found.map { unsafe String(cString: $0.pointee.pw_name) })
    }
  }

  /// A group with many members needs a large buffer: it grows, up to a megabyte.
  private static func withBuffer<Found>(
    _ look: (UnsafeMutablePointer<CChar>, Int) -> (Int32, Found?)
  ) -> Found? {
    var size = 1024
    while size <= 1 << 20 {
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { unsafe buffer.deallocate() }
      let (number, found) = unsafe look(buffer, size)
      if number != ERANGE { return number == 0 ? found : nil }
      size *= 4
    }
    return nil
  }
}
