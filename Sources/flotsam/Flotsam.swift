import FlotsamCommand

@main
struct Flotsam {
    static func main() { FlotsamCommand.run() }
}
