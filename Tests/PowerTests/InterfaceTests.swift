// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Power

/// What tells the radios apart, and that nothing else does.
@Suite struct InterfaceTests {
    @Test func `every interface has a component, a network and a name of its own`() {
        let all = Interface.allCases
        #expect(Set(all.map(\.component)).count == all.count)
        #expect(Set(all.map(\.network)).count == all.count)
        for interface in all {
            #expect(Interface(interface.network) == interface)
            #expect(Interface(named: interface.name) == interface)
        }
        #expect(Interface(Network.none) == nil && Interface(named: "serial") == nil)
    }

    @Test func `radios keep their numbers among the components, and a third gets the next behind all others`() {
        #expect(
            Component.allCases.map(\.name) == [
                "platform", "processor", "display", "wifi", "cellular", "storage", "sensors", "other", "graphics",
                "memory", "audio", "video", "camera", "location", "bluetooth",
            ])
        #expect(Component.allCases.map(\.rawValue) == Array(0...14))
        #expect(Interface.allCases.map(\.component) == [.wifi, .cellular])
        #expect(Interface(2).component.rawValue == 15)
        #expect((0..<4).map { Interface($0).number(first: 2, further: 28) } == [2, 3, 28, 29])
    }

    @Test func `a table by radio keeps a value for each`() {
        var table = RadioTable(7)
        table[.cellular] = 9
        #expect([table[.wifi], table[.cellular], table[Interface(2)], table[Interface(3)]] == [7, 9, 7, 7])
    }

    @Test func `a deadline is told once until it moves`() {
        var system = PowerSystem(.iPhone15, apps: 1)
        system.setNetwork(.wifi, at: .zero)
        let none = system.movedDeadline(of: .wifi)
        #expect(none == nil)
        let end = system.beginTransfer(
            .wifi, down: .mebibytes(1), up: .zero, app: AppID(0), cause: .foreground, at: .seconds(1))
        let deadline = system.radioDeadline(.wifi)
        #expect(deadline > .seconds(1) && deadline <= end)
        let told = (0..<2).map { _ in system.movedDeadline(of: .wifi) }
        #expect(told == [deadline, nil])
        let other = system.movedDeadline(of: .cellular)
        #expect(other == nil)
        system.radiosMayHaveMoved = false
        _ = system.radioDeadline(.wifi)
        var mayHaveMoved = system.radiosMayHaveMoved
        #expect(!mayHaveMoved)
        system.radioTimerFired(.wifi, at: deadline)
        mayHaveMoved = system.radiosMayHaveMoved
        #expect(mayHaveMoved)
        let next = system.radioDeadline(.wifi)
        #expect(next > deadline && next < .distantFuture)
        let again = system.movedDeadline(of: .wifi)
        #expect(again == next)
    }

    @Test func `a radio without figures draws nothing`() {
        let radio = Interface(2).usualParameters
        let powers = [radio.idlePower, radio.promotionPower, radio.receivePower, radio.sendPower, radio.searchPower]
        #expect(powers.allSatisfy { $0 == .zero } && radio.tail.isEmpty && radio.joinEnergy == .zero)
        #expect(Interface.wifi.usualParameters.idlePower == .milliwatts(20))
        #expect(Interface.cellular.usualParameters.idlePower == .milliwatts(8))
    }

    @Test func `the mobile network is on beside Wi-Fi and not the other way round`() {
        #expect(Interface.wifi.isOn(with: .wifi) && Interface.cellular.isOn(with: .wifi))
        #expect(!Interface.wifi.isOn(with: .cellular) && Interface.cellular.isOn(with: .cellular))
        #expect(!Interface.wifi.isOn(with: .none) && !Interface.cellular.isOn(with: .none))
    }

    @Test func `each radio books its join energy when it comes on, and only then`() {
        var parameters = PowerParameters.iPhone15
        parameters.radios[.wifi].joinEnergy = .joules(2)
        parameters.radios[.cellular].joinEnergy = .joules(3)
        for interface in Interface.allCases {
            parameters.radios[interface].idlePower = .zero
            parameters.radios[interface].searchPower = .zero
        }
        var system = PowerSystem(parameters, apps: 1)
        func joined() -> [Double] { Interface.allCases.map { system.energy(of: $0.component).joules } }
        system.setNetwork(.cellular, at: .zero)
        #expect(joined() == [0, 3])
        system.setNetwork(.wifi, at: .seconds(1))
        #expect(joined() == [2, 3])
        system.setNetwork(.cellular, at: .seconds(2))
        #expect(joined() == [2, 3])
        system.setNetwork(.none, at: .seconds(3))
        system.setNetwork(.wifi, at: .seconds(4))
        #expect(joined() == [4, 6])
    }
}
