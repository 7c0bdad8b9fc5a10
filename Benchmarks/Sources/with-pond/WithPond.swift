import Pebbles

/// The smallest program that uses the library. The script `footprint` measures its size.
@main
enum WithPond {
  static func main() async throws {
    let pond = Pond("footprint")
    let first = pond.pebble("first") { 1 }
    pond.pebble("second", needs: first) { print($0) }
    try await pond.run().check()
  }
}
