// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Experiments

/// What a worker that trapped says of it, in one line.
@Suite struct TrapTextTests {
    private static let frames = """

        *** Program crashed: Illegal instruction at 0x000056402964cc9f ***

        Thread 0 "flotsam" crashed:

          0 [inlined] [system] 0x000056402964cc9f _assertionFailure(_:_:) in flotsam at //<compiler-generated>
          1 [inlined]          0x000056402964cc9f ProcessTable.setFootprint(of:to:at:) in flotsam at \
        /home/a b/Sources/Processes/ProcessTable+Memory.swift:15:9
          2 [ra]               0x00005640290b0b0d Daemons.relaunch(_:_:) + 204 in flotsam at Sources/B/D.swift:246:9
        ...
        Backtrace took 0.25s
        """

    @Test func `a release build tells the topmost function of the program with file and line`() {
        #expect(
            TrapText(Self.frames).text
                == "in ProcessTable.setFootprint(of:to:at:) (Sources/Processes/ProcessTable+Memory.swift:15)")
    }

    @Test func `a message comes first, with its own file and line`() {
        let message = "Processes/ProcessTable.swift:3: Precondition failed: no such app"
        #expect(TrapText("chatter\n" + message).text == message)
        let both = TrapText("Power/X.swift:9: Fatal error\n" + Self.frames).text
        #expect(both?.hasPrefix("Power/X.swift:9: Fatal error, in ProcessTable.setFootprint") == true)
    }

    @Test func `what else is on standard error is no trap`() {
        #expect(TrapText("").text == nil)
        #expect(TrapText("look at Sources/A.swift:3\nerror: full 0x at Sources/").text == nil)
    }
}
