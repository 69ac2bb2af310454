// SPDX-License-Identifier: GPL-3.0-or-later

/// Tests of the public kernel that no script replays, with the reason.
struct NotModelled {
    var scenarios: String
    var kernel: String
    var reason: String

    static let all = [
        NotModelled(
            scenarios: "FZ-O", kernel: "tests/vm/memorystatus_freeze_test.c",
            reason: "identifiers of trials change nothing in the kernel, so there is nothing here that could take them")
    ]

    /// Every scenario of the conformance list, in its order; SW-1 and ZP-1 stand for the tests without a number.
    static let list = """
        SORT-1
        AX-start AX-0 AX-1 AX-2 AX-3 AX-3b AX-4 AX-5 AX-6 AX-7
        AN-a AN-b AN-0 AN-1/2 AN-3 AN-4 AN-5/6 AN-7 AR-1 AR-2 AF-1 AF-2 AG-1 AG-2 DL-1 DL-2 DL-3 DL-4
        PL-A PL-B PL-C KC-1 KC-2 LM-A LM-B LM-C LM-D LM-E LM-F LM-G EB-1 TH-1 TH-2 RB-A RB-B RB-C
        FZ-A FZ-B FZ-C FZ-D FZ-E FZ-F FZ-G FZ-H FZ-I FZ-J FZ-K FZ-L FZ-M FZ-N FZ-O FZ-P FZ-Q FZ-R FZ-S FZ-T
        ZN-A ZN-B CF-A CF-B CF-C PF-A PF-B PF-C PF-D PF-E PF-F PF-G PF-H PF-I PF-J PF-K PF-L SW-1 ZP-1
        X-A X-B X-C X-D X-E X-F X-G
        """.split(whereSeparator: \.isWhitespace).map(String.init)
}
