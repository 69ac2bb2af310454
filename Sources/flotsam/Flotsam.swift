// SPDX-License-Identifier: GPL-3.0-or-later
import FlotsamCommand

@main
struct Flotsam {
    static func main() { FlotsamCommand.run() }
}
