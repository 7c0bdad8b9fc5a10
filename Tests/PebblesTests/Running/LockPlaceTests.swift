import Testing

@testable import Pebbles

@Suite struct LockPlaceTests {
  @Test func locksAreTakenInTheOrderThatIsWrittenDown() {
    let places = [
      LockPlace.selfAwaitingRuns,
      LockPlace.run(atDepth: .max), LockPlace.run(atDepth: 2), LockPlace.run(atDepth: 1),
      LockPlace.run(atDepth: 0), LockPlace.queue, LockPlace.blockingThreads,
    ]

    #expect(places == places.sorted())
    #expect(Set(places).count == places.count)
  }
}
