// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Workload

@testable import Importers

@Suite struct BatterystatsImportTests {
    private let history = """
        \u{FEFF}Battery History (0% used, 1144 used of 512KB, 52 strings using 4000):
                            0 (10) RESET:TIME: 2026-01-31-01-00-10
                            0 (2) 100 status=discharging plug=none volt=4282 +running +screen +wifi_running \
        +wifi top=1000:"com.example.home"
                        +29ms (2) 100 -usb_data
                     +1s552ms (2) 100 -screen wifi_signal_strength=2
                  +1m02s110ms (3) 099 +screen +top=10:"com.example.film"
               +1h00m00s000ms (2) 098 -wifi
               +1h00m05s000ms (2) 098 status=charging plug=usb +plugged
               +1h00m06s000ms (2) 099 plug=none

        Per-PID Stats:
          PID 0 wake time: +16s
        """

    @Test func `screen, network and plug become rows at the time of day`() throws {
        var options = BatterystatsOptions()
        options.recording.origin = "a phone"
        let file = try importBatterystats(bytes: Array(history.utf8), name: "h.txt", options)
        #expect(file.start == "2026-01-31")
        let text = String(decoding: file.encoded(), as: UTF8.self)
        #expect(
            text.hasSuffix(
                """
                t_s,event,app,value
                3610,unlock,,
                3610,open,com.example.home,
                3610,network,,wifi
                3611.552,lock,,
                3672.11,unlock,,
                3672.11,open,com.example.home,
                3672.11,open,com.example.film,
                7210,network,,cellular
                7215,plug,,level=0.98
                7216,unplug,,0.99
                7216,lock,,

                """), "\(text)")
        #expect(file.notes == ["battery from 100 % to 99 %"])
    }

    @Test func `an app stands in where names were taken out`() throws {
        var options = BatterystatsOptions()
        options.app = "arcade"
        let hidden = history.replacing("com.example.home", with: "<a>").replacing("com.example.film", with: "<b>")
        let file = try importBatterystats(bytes: Array(hidden.utf8), name: "h.txt", options)
        #expect(file.apps == ["arcade"])
        #expect(file.events.filter { $0.kind == .open }.map { $0.time.seconds } == [3610, 3672.11])
    }

    @Test(arguments: [
        ("+1s552ms", "+1x552ms", "h.txt:5:1: error: expected an offset such as +1m02s110ms, and a level"),
        ("+1s552ms", "+106751d23h00m00s000ms", "h.txt:5:1: error: expected an offset such as +1m02s110ms"),
        ("(", "[", "contains no battery history"),
    ])
    func `what is wrong with a history is said`(old: String, new: String, expected: String) {
        #expect {
            let text = history.replacing(old, with: new)
            _ = try importBatterystats(bytes: Array(text.utf8), name: "h.txt", BatterystatsOptions())
        } throws: { error in
            "\(error)".contains(expected)
        }
    }

    @Test func `offsets add up their units`() {
        func offset(_ word: String) -> Int64? {
            let bytes = Array(word.utf8)
            return BatterystatsForm.offset(bytes.indices, in: bytes)
        }
        #expect(offset("+1d02h03m04s005ms") == 93_784_005_000_000)
        #expect(offset("+29ms") == 29_000_000)
        for wrong in ["+", "29ms", "+5", "+5q", "+99999999999999999999d", "+9223372036854775807d"] {
            #expect(offset(wrong) == nil)
        }
    }
}
