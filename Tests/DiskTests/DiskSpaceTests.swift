// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Disk

/// What is free after each change: bytes are neither made nor lost.
@Suite struct DiskSpaceTests {
    private static let free = ByteCount.mebibytes(1000)

    /// Two apps with 100 MiB in their caches and so much free space.
    private static func space(offloads: Bool = false) -> DiskSpace {
        var parameters = DiskParameters()
        parameters.free = free
        parameters.offloads = offloads
        parameters.freezerBelow = .mebibytes(100)
        var apps = (0..<2).map { AppModel(name: "app-\($0)", category: "test") }
        for index in apps.indices { apps[index].files.caches = .mebibytes(100) }
        return DiskSpace(parameters, apps: apps, normals: [0, 0])
    }

    @Test func `what is purged is free again, and no more than there is`() {
        var space = Self.space()
        space.add(.mebibytes(30), to: .temporary, of: AppID(0), limit: .zero)
        #expect(space.free == Self.free - .mebibytes(30) && space.temporary(of: AppID(0)) == .mebibytes(30))
        #expect(space.purgeTemporary(of: AppID(0)) == .mebibytes(30))
        #expect(space.free == Self.free && space.temporary(of: AppID(0)) == .zero)
        #expect(space.purgeCaches(of: AppID(0), .mebibytes(40)) == .mebibytes(40))
        #expect(space.caches(of: AppID(0)) == .mebibytes(60) && space.missing(of: AppID(0)) == .mebibytes(40))
        #expect(space.purgeCaches(of: AppID(0), .mebibytes(500)) == .mebibytes(60))
        #expect(space.free == Self.free + .mebibytes(100) && space.missing(of: AppID(0)) == .mebibytes(100))
        #expect(space.caches(of: AppID(1)) == .mebibytes(100))
    }

    @Test func `memory that was written out takes its space, and gives it back`() {
        var space = Self.space()
        #expect(space.setSwap(.mebibytes(50)) == .mebibytes(50))
        #expect(space.setSwap(.mebibytes(80)) == .mebibytes(30))
        #expect(space.free == Self.free - .mebibytes(80))
        #expect(space.setSwap(.mebibytes(20)) == .zero - .mebibytes(60))
        #expect(space.free == Self.free - .mebibytes(20))
        // No more than there is.
        #expect(space.setSwap(.mebibytes(5000)) == Self.free - .mebibytes(20))
        #expect(space.free == .zero)
    }

    @Test func `the freezer goes off below its limit, once, and on again at it`() {
        var space = Self.space()
        #expect(space.freezerChange() == nil)
        _ = space.addPhotos(.mebibytes(900))
        // Exactly at the limit is not below it.
        #expect(space.freezerChange() == nil)
        _ = space.addPhotos(ByteCount(1))
        #expect(space.freezerChange() == false)
        #expect(space.freezerChange() == nil)
        _ = space.purgeCaches(of: AppID(1), ByteCount(1))
        #expect(space.freezerChange() == true)
        #expect(space.freezerChange() == nil)
    }

    @Test func `an app that was removed takes its space again when it comes back`() {
        var space = Self.space(offloads: true)
        space.offload(AppID(0), bundle: .mebibytes(70))
        #expect(space.isOffloaded(AppID(0)))
        #expect(space.free == Self.free + .mebibytes(70))
        space.install(AppID(0), bundle: .mebibytes(70), at: .zero + .hours(1))
        #expect(space.backAt(AppID(0)) == .zero + .hours(1) && space.free == Self.free)
        space.arrive(AppID(0))
        #expect(!space.isOffloaded(AppID(0)))
    }
}
