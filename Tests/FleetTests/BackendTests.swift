// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingFleet
import WaxwingSystem
import WaxwingTestSupport

extension FleetSuite {
  @Suite("Both stores do the same")
  struct BackendTests {
    /// A store of a test's own, and what it lives in.
    final class Store {
      let backend: any FleetBackend
      private let etcd: Etcd?
      private let directory: TemporaryDirectory

      init(isEtcd: Bool) throws {
        directory = try TemporaryDirectory()
        if isEtcd {
          let etcd = try Etcd()
          backend = try EtcdBackend(EtcdOptions(endpoints: ["http://127.0.0.1:9"] + etcd.endpoints))
          self.etcd = etcd
        } else {
          backend = try FolderBackend(path: directory.path)
          etcd = nil
        }
      }
    }

    @Test("Documents are written, compared, created once and removed", arguments: [true, false])
    func documents(isEtcd: Bool) throws {
      let store = try Store(isEtcd: isEtcd)
      let backend = store.backend
      #expect(try backend.get("/f/a") == nil)
      #expect(try backend.create("/f/a", [0, 255, 10]))
      #expect(try !backend.create("/f/a", [1]))
      let first = try #require(try backend.get("/f/a"))
      #expect(first.value == [0, 255, 10])
      #expect(try !backend.compareAndSwap("/f/a", revision: 0, [2]))
      #expect(try backend.compareAndSwap("/f/a", revision: first.revision, [2]))
      #expect(try !backend.compareAndSwap("/f/a", revision: first.revision, [3]))
      #expect(
        try !backend.compareAndSwap("/f/a", revision: first.revision, [3], with: ("/f/e", [4])))
      #expect(try backend.get("/f/e") == nil)
      let second = try #require(try backend.get("/f/a"))
      #expect(
        try backend.compareAndSwap("/f/a", revision: second.revision, [2], with: ("/f/e", [4])))
      #expect(try backend.get("/f/e")?.value == [4])
      try backend.delete("/f/e")
      try backend.put("/f/b/c", [])
      try backend.put("/g", [9])
      #expect(try backend.range("/f/").entries.map(\.key) == ["/f/a", "/f/b/c"])
      #expect(try backend.range("/f/").entries.map(\.value) == [[2], []])
      try backend.delete("/f/a")
      try backend.delete("/f/a")
      #expect(try backend.get("/f/a") == nil)
    }

    @Test("A range has all pages", arguments: [true, false])
    func pages(isEtcd: Bool) throws {
      let store = try Store(isEtcd: isEtcd)
      let names = (0..<1100).map { "/f/\(1000 + $0)" }
      for name in names { try store.backend.put(name, Array(name.utf8)) }
      let entries = try store.backend.range("/f/").entries
      #expect(entries.map(\.key) == names.sorted())
      #expect(entries.allSatisfy { Array($0.key.utf8) == $0.value })
    }

    @Test("Of the newest documents no more are read than are wanted", arguments: [true, false])
    func newest(isEtcd: Bool) throws {
      let store = try Store(isEtcd: isEtcd)
      for name in ["/f/b", "/f/c", "/f/a", "/g/d"] {
        try store.backend.put(name, Array(name.utf8))
      }
      let newest = try store.backend.newest(2, of: "/f/")
      // A folder has them in the order of their keys.
      #expect(newest.map(\.key) == (isEtcd ? ["/f/a", "/f/c"] : ["/f/c", "/f/b"]))
      #expect(newest.allSatisfy { Array($0.key.utf8) == $0.value })
      #expect(try store.backend.newest(9, of: "/f/").count == 3)
      #expect(try store.backend.newest(0, of: "/f/") == [])
    }

    @Test("A watch has every change from its revision on, in order", arguments: [true, false])
    func watch(isEtcd: Bool) throws {
      let store = try Store(isEtcd: isEtcd)
      let backend = store.backend
      try backend.put("/f/a", [1])
      let revision = try backend.range("/f/").revision
      try backend.put("/f/b", [2])
      let watch = try backend.watch("/f/", from: revision + 1)
      #expect(try watch.next(until: .after(seconds: 10)).map(\.key) == ["/f/b"])
      try backend.put("/other", [3])
      try backend.delete("/f/a")
      guard case .delete("/f/a", _)? = try watch.next(until: .after(seconds: 10)).first else {
        Issue.record("the removal is not seen")
        return
      }
      #expect(try watch.next(until: .after(seconds: 0.3)).isEmpty)
      watch.cancel()
      let error = #expect(throws: FleetError.self) { try watch.next(until: .after(seconds: 10)) }
      #expect(error?.code == .cancelled)
    }

    @Test("What is bound to a lease goes with it", arguments: [true, false])
    func leases(isEtcd: Bool) throws {
      let store = try Store(isEtcd: isEtcd)
      let backend = store.backend
      let (kept, revoked) = (
        try backend.grantLease(seconds: 60), try backend.grantLease(seconds: 60)
      )
      try backend.put("/f/a", [1], lease: kept)
      try backend.put("/f/b", [1], lease: revoked)
      #expect(try backend.create("/f/c", [1], lease: revoked))
      #expect(try backend.keepAlive(revoked))
      try backend.revoke(revoked)
      #expect(try !backend.keepAlive(revoked))
      #expect(try backend.range("/f/").entries.map(\.key) == ["/f/a"])
      // Written again without a lease, it stays.
      try backend.put("/f/a", [2])
      try backend.revoke(kept)
      #expect(try backend.get("/f/a")?.value == [2])
    }

    @Test("A lease that nobody keeps alive ends", arguments: [true, false])
    func leaseEnds(isEtcd: Bool) throws {
      let store = try Store(isEtcd: isEtcd)
      let lease = try store.backend.grantLease(seconds: 1)
      try store.backend.put("/f/a", [1], lease: lease)
      try waitUntil("the lease ends", seen: try store.backend.get("/f/a") as Any) {
        try store.backend.get("/f/a") == nil
      }
    }

    @Test("A patch of a megabyte fits, and an etcd that is not there is an error in time")
    func limits() throws {
      let store = try Store(isEtcd: true)
      let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try store.backend.put("/f/large", bytes)
      #expect(try store.backend.get("/f/large")?.value == bytes)
      let error = #expect(throws: FleetError.self) {
        try store.backend.put("/f/larger", bytes + bytes)
      }
      #expect(error?.code == .invalid)
      let gone = try EtcdBackend(EtcdOptions(endpoints: ["http://127.0.0.1:9"]))
      #expect(throws: FleetError.self) { try gone.get("/f/a") }
    }
  }
}
