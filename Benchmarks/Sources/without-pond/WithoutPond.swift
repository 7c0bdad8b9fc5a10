/// The same program as `with-pond`, but without the library. The difference between the sizes of
/// the two programs is due to the library.
@main
enum WithoutPond {
  static func main() async throws {
    async let first = 1
    print(await first)
  }
}
