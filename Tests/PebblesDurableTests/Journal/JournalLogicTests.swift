import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of the changes to a pond by which its logic no longer matches that of the run in its
/// journal.
@Suite(.watched) struct JournalLogicTests {
  private static func difference(
    _ before: @escaping (Pond) -> Void, _ now: @escaping (Pond) -> Void,
    onFailure policies: (FailurePolicy, FailurePolicy) = (.ignore, .ignore)
  ) -> String? {
    let models = [(before, policies.0), (now, policies.1)].map { define, policy in
      let pond = Pond("pond", onFailure: policy)
      define(pond)
      return PondModel(pond.program().pond)
    }
    return models[1].firstDifference(from: models[0])
  }

  @Test func thePebblesAndTheirPlacesAreItsLogic() {
    func of(_ names: [String]) -> (Pond) -> Void {
      { pond in for name in names { pond.pebble(name) {} } }
    }

    #expect(Self.difference(of(["a", "b"]), of(["a", "b"])) == nil)
    #expect(Self.difference(of(["a", "b"]), of(["a"])) == #""b" is no longer in the pond"#)
    #expect(Self.difference(of(["a"]), of(["a", "b"])) == #""b" is new"#)
    #expect(
      Self.difference(of(["x", "a", "b"]), of(["x", "b", "a"]))
        == #""b" was defined in another place"#)
  }

  @Test func conditionsCasesAndGoalsAreItsLogic() {
    func waiting(_ condition: @escaping (Pebble<Int>) -> Condition) -> (Pond) -> Void {
      { pond in
        let first = pond.pebble("first") { 1 }
        pond.pebble("second", when: condition(first)) {}
      }
    }
    func reaching(_ condition: @escaping (Pebble<Int>) -> Condition?) -> (Pond) -> Void {
      { pond in pond.goal = condition(pond.pebble("first") { 1 }) }
    }

    #expect(Self.difference(waiting(\.succeeded), waiting(\.succeeded)) == nil)
    #expect(
      Self.difference(waiting(\.succeeded), waiting(\.failed))
        == #""second" waited for first.succeeded, and waits for first.failed now"#)
    let none = reaching { _ in nil }
    let withCase = reaching { first in
      _ = first.failed("x") { _ in true }
      return nil
    }
    #expect(Self.difference(none, withCase) == #""first" has other cases"#)
    #expect(Self.difference(reaching(\.succeeded), reaching(\.succeeded)) == nil)
    #expect(
      Self.difference(reaching(\.succeeded), reaching(\.failed)) == "the goal has changed")
    #expect(Self.difference(none, reaching(\.failed)) == "the goal has changed")
  }

  @Test func aLongConditionIsCut() throws {
    func waiting(_ count: Int) -> (Pond) -> Void {
      { pond in
        let first = pond.pebble(String(repeating: "x", count: 300)) {}
        pond.pebble("second", when: count == 0 ? .always : first.succeeded) {}
      }
    }

    let text = try #require(Self.difference(waiting(1), waiting(0)))

    let x = String(repeating: "x", count: 199)
    #expect(text.hasPrefix("\"second\" waited for \(x)…, and waits for "), "\(text)")
  }

  @Test func whatAPebbleIsCountsAndWhatItIsLimitedToDoesNot() {
    let plain = { (pond: Pond) in _ = pond.pebble("a") { 1 } }
    let limited = { (pond: Pond) in
      _ = pond.pebble("a", .timeout(.seconds(1)), .priority(3), teardown: { _ in }) { 1 }
    }
    let service = { (pond: Pond) in
      _ = pond.service("a") { (ready: ServiceReady<Int>) in ready(1) }
    }
    let given = { (pond: Pond) in _ = pond.given("a", Int.self) }

    #expect(Self.difference(plain, limited) == nil)
    #expect(Self.difference(service, service) == nil)
    #expect(Self.difference(given, given) == nil)
    #expect(Self.difference(plain, service) == #""a" is a service now"#)
    #expect(Self.difference(service, plain) == #""a" was a service"#)
    #expect(Self.difference(plain, given) == #""a" is given now"#)
    #expect(Self.difference(given, plain) == #""a" was given"#)
    #expect(
      Self.difference(plain, plain, onFailure: (.ignore, .cancelAll))
        == "the failure policy was ignore, and is cancelAll now")
  }
}
