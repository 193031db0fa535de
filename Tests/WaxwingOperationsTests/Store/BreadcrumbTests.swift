// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Expectations
import Foundation
import Testing
import WaxwingOperations
import WaxwingTestSupport

/// Breadcrumbs in a file. A process has one file at a time.
@Suite(.serialized) final class BreadcrumbTests {
  private let fixture = StoreFixture()
  private let store: PatchStore

  init() throws {
    store = try fixture.open()
    try store.begin(
      BootRecord(run: 77, attempt: 1, generation: 0, build: "b", pid: 1, startedAt: 1))
    #expect(store.beginCrumbs(77) == nil)
  }

  deinit { PatchStore.forgetRun() }

  private func report() throws -> BreadcrumbReport {
    try #require(BreadcrumbReport(try fixture.bytes("breadcrumbs")))
  }

  @Test func `a thread's patch is in the file while it is in it, and the outer one after`()
    throws
  {
    wax_process_breadcrumbs_name(11, "outer")
    let outer = wax_process_breadcrumb_enter(11)
    #expect(try report().suspects == [.init(prefix: 11, name: "outer", threads: 1)])
    let inner = wax_process_breadcrumb_enter(12)
    #expect(try report().suspects.map(\.prefix) == [12])
    wax_process_breadcrumb_leave(inner)
    #expect(try report().suspects.map(\.prefix) == [11])
    wax_process_breadcrumb_leave(outer)
    #expect(try report().suspects.isEmpty && report().run == 77)
  }

  @Test func `which patches are live is in the file, however many have had a name`() throws {
    wax_process_breadcrumbs_name(11, "stays")
    wax_process_breadcrumbs_set_live(11, true)
    for number in 100..<300 {
      wax_process_breadcrumbs_name(UInt64(number), "patch \(number)")
      wax_process_breadcrumbs_set_live(UInt64(number), true)
      wax_process_breadcrumbs_set_live(UInt64(number), false)
    }
    #expect(try report().live == [.init(prefix: 11, name: "stays", threads: 0)])
    let breadcrumb = wax_process_breadcrumb_enter(11)
    #expect(try report().live.map(\.threads) == [1])
    wax_process_breadcrumb_leave(breadcrumb)
    wax_process_breadcrumbs_set_live(11, false)
    #expect(try report().live.isEmpty)
  }

  @Test func `threads beyond the slots are counted, and ended threads give theirs back`() throws {
    for _ in 0..<3 {
      let started = DispatchSemaphore(value: 0)
      let end = DispatchSemaphore(value: 0)
      let ended = DispatchGroup()
      for _ in 0..<200 {
        ended.enter()
        let thread = Thread {
          let breadcrumb = wax_process_breadcrumb_enter(13)
          started.signal()
          end.waitInTime()
          wax_process_breadcrumb_leave(breadcrumb)
          ended.leave()
        }
        thread.stackSize = 1 << 17
        thread.start()
      }
      for _ in 0..<200 { started.waitInTime() }
      let report = try report()
      let threads = report.suspects.reduce(0) { $0 + $1.threads }
      #expect(threads + report.overflow == 200 && report.overflow > 0)
      for _ in 0..<200 { end.signal() }
      ended.waitInTime()
      #expect(try self.report().suspects.isEmpty && self.report().overflow == 0)
    }
  }

  @Test func `a call that belongs to no thread has a slot until its end, on any thread`() throws {
    let begun = wax_process_breadcrumb_begin(14)
    #expect(try report().suspects.map(\.prefix) == [14])
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      wax_process_breadcrumb_end(begun)
      done.signal()
    }
    done.waitInTime()
    #expect(try report().suspects.isEmpty)
  }

  @Test func `a breadcrumb of an older file is not written into a newer one`() throws {
    let outer = wax_process_breadcrumb_enter(15)
    #expect(store.beginCrumbs(78) == nil)
    wax_process_breadcrumb_leave(outer)
    let again = wax_process_breadcrumb_enter(16)
    #expect(try report().suspects.map(\.prefix) == [16] && report().run == 78)
    wax_process_breadcrumb_leave(again)
    PatchStore.forgetRun()
    #expect(wax_process_breadcrumb_enter(17).epoch == 0)
  }

  @Test func `the table of names has room for the newest patches`() throws {
    for number in 1...70 { wax_process_breadcrumbs_name(UInt64(number), "patch \(number)") }
    let breadcrumb = wax_process_breadcrumb_enter(70)
    #expect(try report().suspects.map(\.name) == ["patch 70"])
    wax_process_breadcrumb_leave(breadcrumb)
  }

  @Test func `bytes that are no breadcrumbs are none`() throws {
    #expect(BreadcrumbReport([]) == nil)
    #expect(BreadcrumbReport([UInt8](repeating: 0, count: 8192)) == nil)
    var bytes = try fixture.bytes("breadcrumbs")
    for index in 32..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    #expect(BreadcrumbReport(bytes) != nil)
  }

  @Test func `the mark of an orderly end is made without a lock, and only by this process`()
    throws
  {
    #expect(!store.evidence().isClean)
    #expect(PatchStore.markClean())
    #expect(store.evidence().isClean && store.evidence().record?.run == 77)
    try store.begin(
      BootRecord(run: 78, attempt: 1, generation: 0, build: "b", pid: 1, startedAt: 1))
    #expect(!store.evidence().isClean)
  }

  @Test func `the boot record is overwritten where there is no room for a new file`() throws {
    var record = BootRecord(run: 79, attempt: 2, generation: 0, build: "b", pid: 1, startedAt: 1)
    try store.write(record)
    record.isHealthy = true
    try store.write(record)
    #expect(store.evidence().record == record)
  }
}
