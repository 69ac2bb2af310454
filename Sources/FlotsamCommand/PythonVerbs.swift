// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Files
import ForeignPolicies
import Platform

/// `flotsam cluster submit`: uses the Python package to submit the runs that `init` prepared to a cluster.
enum ClusterSubmitVerb: Verb {
    static let name = "submit"
    static let summary = "Submits the runs of a prepared directory to Dask or Slurm (Python package)"
    static let example = "flotsam cluster submit results/shared --dask-local 2"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        PythonPackage(verb: name, extra: "dask").run(arguments, setting)
    }
}

/// `flotsam tune`: uses the Python package to search the parameters of a policy.
enum TuneVerb: Verb {
    static let name = "tune"
    static let summary = "Searches the parameters of a policy (Python package)"
    static let example = "flotsam tune experiments/lyapunov.yaml --policy lyapunov --trials 20"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        PythonPackage(verb: name, extra: "tune").run(arguments, setting)
    }
}

/// Passes the command line of a verb to the Python package, unchanged.
///
/// Libraries for schedulers, optimisers and charts are written for Python. The verb replaces this process by Python, so
/// that neither program links the other.
struct PythonPackage {
    let verb: String
    /// Optional dependency set of the package that the verb needs; nil if it needs none.
    let extra: String?
    var module = "flotsam.__main__"

    /// Replaces this process by Python, with the user's words; returns only if Python cannot be started.
    func run(_ arguments: ArgumentReader, _ setting: Setting) -> Int32 {
        var words = arguments.rest("WORD", help: "See python3 -m flotsam \(verb) --help")
        if setting.allowsForeign { words.append(ForeignGate.option) }
        if arguments.isDescribed { return ExitCode.ok }
        if arguments.wantsHelp { words.append("--help") }
        return run(words, help: arguments.help, isHelp: arguments.wantsHelp)
    }

    /// Replaces this process by Python; returns only if Python cannot be started.
    func run(_ words: [String], help: String = "", isHelp: Bool = false) -> Int32 {
        let python = Self.executable
        // This program does the runs, even if another flotsam is on the search path.
        if let own = FilePath.real(OperatingSystem.program) { setenv("FLOTSAM", own, 0) }
        // `-I` isolates Python: it imports nothing from the working folder or from paths in the environment.
        let line = [python, "-I", "-c", Self.start, module, verb, sentence, Console.named(help + "\n" + sentence)]
        let pointers = (line + words).map { strdup($0) } + [nil]
        execvp(python, pointers)
        let reason = String(cString: strerror(errno))
        pointers.forEach { free($0) }
        if isHelp { return Console.out(help) }
        Console.diagnose("error: \(python) cannot be started (\(reason)); \(sentence)\n")
        return ExitCode.usage
    }

    /// Path of the Python to start.
    ///
    /// The order is `FLOTSAM_PYTHON`, the virtual environment that contains the program, `lib/flotsam` in the program's
    /// installation, and `python3` on the search path.
    private static var executable: String {
        if let named = FilePath.environment("FLOTSAM_PYTHON") { return named }
        guard let own = FilePath.programFolder else { return "python3" }
        let prefix = FilePath.folder(of: own)
        if FilePath.exists(FilePath.join(prefix, "pyvenv.cfg")), FilePath.exists(FilePath.join(own, "python3")) {
            return FilePath.join(own, "python3")
        }
        let environment = FilePath.join(prefix, "lib/flotsam/bin/python3")
        return FilePath.name(of: own) == "bin" && FilePath.exists(environment) ? environment : "python3"
    }

    /// The command as users type it.
    private var typed: String { verb == ClusterSubmitVerb.name ? "\(ClusterVerb.name) \(verb)" : verb }

    private var sentence: String {
        "flotsam \(typed) needs Python 3.11 or newer with Flotsam's package: its wheel, the Debian package "
            + "flotsam-python, or in a checkout python3 -m pip install './python\(extra.map { "[\($0)]" } ?? "")'"
    }

    /// Starts `python3 -m flotsam`, or prints the given sentence if the package is missing.
    ///
    /// Outside of a virtual environment, the user's own packages are also searched, because pip installs packages there
    /// for ordinary users.
    private static let start = """
        from importlib import import_module
        from os.path import isdir
        from site import addsitedir, getusersitepackages
        from sys import argv, base_prefix, exit, prefix
        if prefix == base_prefix and isdir(getusersitepackages()):
            addsitedir(getusersitepackages())
        try:
            main = import_module(argv[1]).main
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] != "flotsam":
                raise
            if "--help" in argv[5:]:
                print(argv[4])
                exit(0)
            exit("error: " + argv[3])
        exit(main([argv[2], *argv[5:]]))
        """
}
