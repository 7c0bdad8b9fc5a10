import Pebbles
import PebblesAnalysis
import Testing

/// Tests of the model of a pond, which represents its logic as a value.
@Suite struct PondModelTests {
  @Test func modelHasWhatThePondHadWhenItWasMade() throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let show = pond.pebble("show", when: load.completed) {}

    let model = try pond.model()
    let late = pond.pebble("late") {}
    show.ready = .never

    #expect(model.name == "boot")
    #expect(model.names == ["load", "show"])
    #expect(model.condition(at: 1).description == "load.completed")
    #expect(model.position(of: show) == 1)
    #expect(model.position(of: late) == nil)
  }

  @Test func wronglyDefinedPondHasNoModel() {
    let pond = Pond("boot")
    pond.pebble("load") {}
    pond.pebble("load") {}

    #expect(throws: PondError.self) { try pond.model() }
  }
}
