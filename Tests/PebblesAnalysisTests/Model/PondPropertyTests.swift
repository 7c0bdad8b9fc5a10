import Pebbles
import PebblesAnalysis
import Testing

@Suite struct PondPropertyTests {
  @Test func whatPebblesWereGivenIsTold() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a", .timeout(.seconds(5)), .priority(3)) { 1 }
    let b = pond.pebble("b", .enabled { true }, teardown: { _ in }) { 2 }
    pond.service("c", needs: b, a.optional) { ready, _, _ in ready() }
    let model = try PondModel(json: pond.model().json())

    #expect((-1...3).map(model.timeout(at:)) == [nil, .seconds(5), nil, nil, nil])
    #expect((-1...3).map(model.priority(at:)) == [0, 3, 0, 0, 0])
    #expect((-1...3).map(model.isOptional(at:)) == [false, false, true, false, false])
    #expect((-1...3).map(model.isService(at:)) == [false, false, false, true, false])
    #expect((-1...3).map(model.hasTeardown(at:)) == [false, false, true, false, false])
    #expect((-1...3).map(model.inputs(at:)) == [[], [], [], [0, 1], []])
  }
}
