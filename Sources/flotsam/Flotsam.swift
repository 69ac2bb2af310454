@main
struct Flotsam {
    static func main() {}
}
