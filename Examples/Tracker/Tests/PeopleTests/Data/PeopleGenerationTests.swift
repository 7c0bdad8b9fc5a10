import Foundation
import Testing

@testable import People

@Suite struct PeopleGenerationTests {
  @Test func randomNumbersAreThoseOfTheAlgorithm() {
    var random = SplitMix64(seed: 1_234_567)

    // The reference implementation's first numbers for this seed.
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test(arguments: [1, 2, 3, 7, 1_000, Int.max])
  func randomNumbersStayBelowTheirBound(bound: Int) {
    var random = SplitMix64(seed: 3)
    for _ in 0..<1_000 { #expect((0..<bound).contains(random.next(below: bound))) }
  }

  @Test func everyNumberIsAboutAsLikely() {
    var random = SplitMix64(seed: 5)
    var counts = [Int](repeating: 0, count: 6)
    for _ in 0..<60_000 { counts[random.next(below: 6)] += 1 }
    #expect(counts.allSatisfy { (9_500...10_500).contains($0) })
  }

  @Test func theSameSeedMakesTheSamePeople() throws {
    let again = try People(generating: 3_000, seed: 7)
    let others = try People(generating: 3_000, seed: 8)

    #expect((0..<3_000).allSatisfy { again[$0] == People.some[$0] })
    #expect((0..<3_000).contains { others[$0] != People.some[$0] })
  }

  @Test func nobodyIsPeopleToo() throws {
    #expect(try People(generating: 0, seed: 1).count == 0)
  }

  @Test func peopleWhoAreNotWantedAnyMoreAreNotMade() async {
    let making = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try People(generating: 10_000, seed: 1).count
    }

    await #expect(throws: CancellationError.self) { try await making.value }
  }

  @Test func norAreTheyPutInOrder() async {
    let making = Task {
      var builder = PeopleBuilder()
      for number in 0..<10_000 {
        try builder.add(name: ["Ann \(number % 97)"], .oPositive, ShoeSize(halves: 80))
      }
      withUnsafeCurrentTask { $0?.cancel() }
      return try builder.people().count
    }

    await #expect(throws: CancellationError.self) { try await making.value }
  }

  @Test func peopleAreNumberedByNameWhateverItsCaseAndAccents() {
    let people = People.some
    let keys = (0..<people.count).map { number in
      people[number].name.split(separator: " ")
        .map { SearchWords.words(of: String($0)).joined(separator: " ") + "\u{0}\($0)" }
    }
    for (one, next) in zip(keys, keys.dropFirst()) {
      #expect(!next.lexicographicallyPrecedes(one), "\(one) before \(next)")
    }
  }

  @Test func theOrderBySizeHasEverybodyOnce() {
    let people = People.some
    #expect(Set(people.bySize).count == people.count)
    let keys = people.bySize.map { (people.shoeSizes[Int($0)], $0) }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func thereIsEverythingThatFiltersAskFor() {
    let people = (0..<People.some.count).map { People.some[$0] }
    #expect(Set(people.map(\.bloodType)).count == BloodType.allCases.count)
    #expect(people.allSatisfy { (35...49).contains($0.shoeSize.number) })
    #expect(people.contains { $0.name.count > 50 })
    #expect(people.contains { !$0.name.utf8.allSatisfy { $0 < 0x80 } })
  }
}
