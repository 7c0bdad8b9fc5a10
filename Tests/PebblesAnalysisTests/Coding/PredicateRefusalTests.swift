import PebblesAnalysis
import Testing

/// Tests that documents with opaque closures as conditions, which are no longer supported, are
/// rejected with a single sentence that says so.
@Suite struct PredicateRefusalTests {
  @Test func aPondWithAPredicateIsRefused() throws {
    let text = """
      {"format": "pond", "version": 1, "name": "boot", "onFailure": "ignore", "clusters": [],
      "conditions": [{"predicate": {"reads": [0]}}],
      "pebbles": [{"name": "load"}, {"name": "show", "when": 0}]}
      """

    let error = try #require(throws: JSONError.self) { try PondModel(json: text) }

    #expect(error.line == 2)
    #expect(
      error.problem
        == "predicates are no longer read: a condition over outputs needs a pebble of its own")
  }

  @Test(arguments: [
    ("", true), ("\"heldPredicates\": [], ", true), ("\"heldPredicates\": [0], ", false),
  ])
  func aRunMaySayThatNoneHeld(_ field: String, isRead: Bool) throws {
    let text = """
      {"format": "pond run", "version": 1, "makespan": 1, "pond": {"format": "pond", "version": 1,
      "name": "p", "onFailure": "ignore", "conditions": [], "clusters": [], "pebbles": []},
      "pebbles": [], \(field)"nested": []}
      """

    #expect(((try? RecordedRun(json: text)) != nil) == isRead)
  }
}
