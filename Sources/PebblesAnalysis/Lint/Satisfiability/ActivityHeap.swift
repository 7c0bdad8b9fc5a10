/// The variables of a solver, those that took part in recent conflicts first.
struct ActivityHeap {
  private var activities: [Double] = []
  private var increment = 1.0

  /// A binary heap of variables; `places` says where in it each stands, or -1.
  private var heap: [Int32] = []
  private var places: [Int32] = []

  /// How much less a conflict counts with each later one.
  private static let decayFactor = 0.95
  private static let mostActivity = 1e100

  /// Knows the variable with the next number from now on, without holding it.
  mutating func add(_ variable: Int) {
    assert(variable == places.count)
    activities.append(0)
    places.append(-1)
  }

  mutating func removeAll() {
    for variable in heap { places[Int(variable)] = -1 }
    heap.removeAll(keepingCapacity: true)
  }

  mutating func insert(_ variable: Int) {
    guard places[variable] < 0 else { return }
    places[variable] = Int32(heap.count)
    heap.append(Int32(variable))
    rise(from: heap.count - 1)
  }

  mutating func popMax() -> Int? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    places[Int(first)] = -1
    if !heap.isEmpty {
      heap[0] = last
      places[Int(last)] = 0
      sink(from: 0)
    }
    return Int(first)
  }

  mutating func bump(_ variable: Int) {
    activities[variable] += increment
    if activities[variable] > Self.mostActivity {
      for variable in activities.indices { activities[variable] /= Self.mostActivity }
      increment /= Self.mostActivity
    }
    if places[variable] >= 0 { rise(from: Int(places[variable])) }
  }

  mutating func decay() {
    increment /= Self.decayFactor
  }

  /// Whether the first variable is to come before the second.
  private func precedes(_ first: Int32, _ second: Int32) -> Bool {
    let (left, right) = (activities[Int(first)], activities[Int(second)])
    return left == right ? first < second : left > right
  }

  private mutating func rise(from start: Int) {
    var place = start
    let variable = heap[place]
    while place > 0 {
      let parent = (place - 1) / 2
      guard precedes(variable, heap[parent]) else { break }
      set(heap[parent], at: place)
      place = parent
    }
    set(variable, at: place)
  }

  private mutating func sink(from start: Int) {
    var place = start
    let variable = heap[place]
    while 2 * place + 1 < heap.count {
      var child = 2 * place + 1
      if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
      guard precedes(heap[child], variable) else { break }
      set(heap[child], at: place)
      place = child
    }
    set(variable, at: place)
  }

  private mutating func set(_ variable: Int32, at place: Int) {
    heap[place] = variable
    places[Int(variable)] = Int32(place)
  }
}
