// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Glibc

/// Handles the files that runs of the program leave for the next.
extension PatchStore {
  /// The evidence that the last run left.
  package func evidence() -> BootGuard.Evidence {
    var evidence = BootGuard.Evidence()
    if let bytes = try? folder.read("boot", atMost: StoreSizes.boot) {
      evidence.record = BootRecord(bytes)
      evidence.recordIsDamaged = evidence.record == nil
    }
    evidence.isClean = folder.has("clean")
    if let bytes = try? folder.read("breadcrumbs", atMost: Int(WAX_PROCESS_BREADCRUMB_BYTES)) {
      evidence.breadcrumbs = BreadcrumbReport(bytes)
    }
    return evidence
  }

  /// Says that a run begins: before it starts any patch.
  package func begin(_ record: BootRecord) throws(StoreError) {
    try write(record)
    try folder.remove("clean")
    unsafe wax_process_mark_clean_at_exit(folder.descriptor, "clean")
  }

  /// Lets threads write breadcrumbs.
  /// - Returns: Why they cannot.
  package func beginCrumbs(_ run: UInt64) -> StoreError? {
    do throws(StoreError) {
      try openCrumbs(run)
      return nil
    } catch {
      return error
    }
  }

  /// Overwrites the boot record.
  package func write(_ record: BootRecord) throws(StoreError) {
    let bytes = record.bytes
    guard let file = try folder.openFile("boot", O_WRONLY) else {
      return try folder.replace("boot", with: bytes)
    }
    defer { close(file) }
    let path = "\(folder.path)/boot"
    _ = try folder.calls.make(.overwrite, path) {
      unsafe bytes.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
        == bytes.count ? 0 : -1
    }
    _ = try folder.calls.make(.sync, path) { fdatasync(file) }
  }

  private func openCrumbs(_ run: UInt64) throws(StoreError) {
    let path = "\(folder.path)/breadcrumbs"
    if try folder.openFile("breadcrumbs", O_RDWR).map({ close($0) }) == nil {
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let made = try folder.calls.make(.create, path) {
        unsafe openat(folder.descriptor, "breadcrumbs", flags, 0o600)
      }
      close(made)
    }
    guard let file = try folder.openFile("breadcrumbs", O_RDWR) else { return }
    defer { close(file) }
    _ = try folder.calls.make(.overwrite, path) { wax_process_breadcrumbs_open(file, run) ? 0 : -1 }
  }

  /// Stops what `begin` has begun. For tests: a program that ends does not need it.
  package static func forgetRun() {
    wax_process_breadcrumbs_close()
    unsafe wax_process_mark_clean_at_exit(-1, "")
  }

  /// Notes that the program is about to end on purpose.
  package static func markClean() -> Bool { wax_process_mark_clean() }
}
