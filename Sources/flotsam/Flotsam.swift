// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import FlotsamCommand

@main
struct Flotsam {
    static func main() { FlotsamCommand.run(source: Source(hash: sourceHash, commit: sourceCommit)) }
}
