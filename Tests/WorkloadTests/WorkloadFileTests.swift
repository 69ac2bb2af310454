// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Vocabulary
import Workload

private func read(_ text: String) throws(Diagnostics) -> WorkloadFile {
    try WorkloadFile(bytes: Array(text.utf8), name: "w.csv")
}

private func problems(_ rows: String) -> [Diagnostic] {
    do {
        _ = try read("t_s,event,app,value\n" + rows)
        return []
    } catch { return error.list }
}

@Suite struct WorkloadFileTests {
    private let text = """
        # zone: Europe/Helsinki
        # origin: somebody's phone
        # start: 2026-03-02
        # covered_s: 0 to 86400
        # a remark
        t_s,event,app,value
        0.5,network,,wifi
        10,unlock,,30
        10.000000001,open,"Notes, and more",12.5
        20,switch,"say ""hi\""",
        30,home,Launcher,
        40,lock,,
        50,unlock,,locked=1
        52,lock,,
        60,plug,,watts=18 level=0.35
        70,top_up,,level=0.5 until=80 seconds=600 watts=12
        90,unplug,,0.4
        95,force_quit,Chat,
        96,push,Chat,
        97,content,Chat,
        98,notification,Chat,
        99,interrupt,Chat,45
        99.5,low_power_mode,,on
        99.75,low_power_mode,,off
        99.76,signal,,very-poor
        99.765,location,,transit
        99.77,restart,,
        99.78,restart,,600
        99.8,open,Chat,seconds=12 by=share_sheet
        99.9,push,Chat,1

        """

    @Test func `reading and writing again gives the same bytes`() throws {
        let file = try read(text)
        #expect(String(decoding: file.encoded(), as: UTF8.self) == text)
    }

    @Test func `the header and the rows say what they say`() throws {
        let file = try read(text)
        #expect(file.zone == "Europe/Helsinki")
        #expect(file.startWeekday == 0)
        #expect(file.covered == .zero..<(.zero + .day))
        #expect(file.notes == ["a remark"])
        #expect(file.apps == ["Notes, and more", "say \"hi\"", "Launcher", "Chat"])
        #expect(file.events.suffix(2).map(\.reason) == [.shareSheet, .icon])
        #expect(file.events.suffix(2).map(\.isLocal) == [false, true])
        #expect(file.events[2].time.nanoseconds == 10_000_000_001)
        #expect(file.events[8].level == 0.35 && file.events[8].watts == 18)
    }

    @Test func `names that a spreadsheet would compute get an apostrophe, which is taken away again`() throws {
        var file = try read("t_s,event,app,value\n1,unlock,,\n1,open,plain,2\n4,lock,,\n")
        file.apps = ["=HYPERLINK(\"x\",1)"]
        let text = String(decoding: file.encoded(), as: UTF8.self)
        #expect(text.contains("\n1,open,\"'=HYPERLINK(\"\"x\"\",1)\",2\n"), "\(text)")
        #expect(try read(text).apps == file.apps)
        for name in ["@SUM", "+1-2", "'=x", "-5 km", "'it", "plain"] {
            file.apps = [name]
            #expect(try read(String(decoding: file.encoded(), as: UTF8.self)).apps == [name], "\(name)")
        }
        let both = try read("t_s,event,app,value\n1,unlock,,\n1,open,=x,2\n4,open,'=x,2\n9,lock,,\n")
        #expect(both.apps == ["=x"])
    }

    @Test func `Windows line ends are accepted`() throws {
        let file = try read("t_s,event,app,value\r\n1,unlock,,\r\n2,lock,,\r\n")
        #expect(file.events.map(\.kind) == [.unlock, .lock])
    }

    @Test func `every broken row is reported with its location`() {
        let found = problems("1,unlock,,\n0.5,lock,,\n2,opne,Chat,\n3,open,,\n4,plug,,level=2\n5,lock\nx,lock,,\n")
        #expect(found.map { $0.location?.line } == [3, 4, 5, 6, 7, 8])
        #expect(found.map { $0.location?.column } == [1, 3, 8, 15, 1, 1])
        #expect(found[0].message == "this row is earlier than the row before it; sort the rows by time")
        #expect(found[1].message == "unknown event \"opne\"")
        #expect(found[1].hint == "did you mean \"open\"?")
        #expect(found[2].message == "open needs the name of an app")
        #expect(found[3].message == "expected a level from 0 to 1, found \"2\"")
        #expect(found[4].message == "expected 4 fields (t_s,event,app,value), found 2")
        #expect(found[5].message == "expected seconds with at most nine decimals, found \"x\" (at t_s)")
    }

    @Test(arguments: [
        ("1,lock,Chat,", "lock must not name an app, found \"Chat\""),
        ("1,lock,,5", "lock must not have a value, found \"5\""),
        ("1,interrupt,,", "interrupt needs a value for \"seconds\""),
        ("1,top_up,,until=5", "top_up needs a value for \"level\""),
        ("2,top_up,,level=0.5 until=1", "expected a time not before the row's own time, found \"1\" (at until)"),
        ("1,low_power_mode,,1", "expected on or off, found \"1\" (at state)"),
        ("1,network,,5g", "expected none, wifi or cellular, found \"5g\" (at network)"),
        ("1,plug,,amps=3", "unknown part \"amps\" of the value of plug; known: watts, level"),
        ("1,plug,,level=0.5 level=0.6", "level appears twice"),
        ("1,open,\"Chat,", "a quoted name does not end on its line"),
        ("1.0000000001,lock,,", "expected seconds with at most nine decimals, found \"1.0000000001\" (at t_s)"),
    ])
    func `a row that makes no sense is refused`(row: String, message: String) {
        #expect(problems(row + "\n").map(\.message) == [message])
    }

    @Test func `a file without columns is refused`() {
        #expect(throws: Diagnostics.self) { try read("# zone: x\n") }
        #expect(throws: Diagnostics.self) { try read("t,event\n1,lock,,\n") }
    }
}
