// SPDX-License-Identifier: MIT

import CWaxwingProcess

/// Where code is: as debuggers and symbol tables say it.
struct CodePlace {
  /// The file's path; empty if the address is in none.
  let image: String
  /// The address that the file's own symbol table has.
  let offset: UInt64

  init(_ address: UInt) {
    image =
      unsafe wax_process_image_path(UnsafeRawPointer(bitPattern: address)).map {
        unsafe String(cString: $0)
      }
      ?? ""
    var base: UInt = 0
    offset = unsafe UInt64(wax_process_image_base(address, &base) ? address - base : address)
  }
}
