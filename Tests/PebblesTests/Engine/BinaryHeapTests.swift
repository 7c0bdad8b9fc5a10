import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite struct BinaryHeapTests {
  @Test func anEmptyHeapHasNoLeastElement() {
    var heap = BinaryHeap<Int>()

    #expect(heap.isEmpty)
    #expect(heap.min == nil)
    #expect(heap.popMin() == nil)
  }

  @Test func elementsComeOutSortedHoweverTheyWentIn() {
    var generator = SeededGenerator(seed: 1)
    for count in 0..<200 {
      let numbers = (0..<count).map { _ in Int.random(in: 0..<50, using: &generator) }
      var heap = BinaryHeap<Int>()
      for number in numbers { heap.insert(number) }

      var popped: [Int] = []
      while let least = heap.min {
        #expect(heap.popMin() == least)
        popped.append(least)
      }

      #expect(popped == numbers.sorted())
    }
  }

  @Test func insertingAndPoppingMayAlternate() {
    var generator = SeededGenerator(seed: 2)
    var heap = BinaryHeap<Int>()
    var sorted: [Int] = []
    for _ in 0..<5_000 {
      if Bool.random(using: &generator) {
        let number = Int.random(in: 0..<1_000, using: &generator)
        heap.insert(number)
        sorted.append(number)
        sorted.sort()
      } else {
        let least = sorted.isEmpty ? nil : sorted.removeFirst()
        #expect(heap.popMin() == least)
      }
      #expect(heap.count == sorted.count)
    }
  }
}
