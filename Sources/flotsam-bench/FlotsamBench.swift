@main
struct FlotsamBench {
    static func main() {}
}
