/// The same program as `with-pond`, without the library: the difference in size is the library.
@main
enum WithoutPond {
  static func main() async throws {
    async let first = 1
    print(await first)
  }
}
