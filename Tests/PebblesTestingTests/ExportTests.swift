import PebblesTesting
import Testing

/// What comes with the module.
@Suite struct ExportTests {
  @Test func onePondNeedsOneImport() throws {
    let pond = Pond("boot")
    pond.pebble("load") {}

    #expect(try pond.model().count == 1)
  }
}
