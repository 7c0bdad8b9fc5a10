import Pebbles

/// A generator of random numbers that depend only on a seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

struct Failing: Error, CustomStringConvertible {
  var description: String { "it was to fail" }
}

/// Returns a pond of a few pebbles with random conditions, which can include cycles and cases, and
/// with inputs, retries, limits, and sometimes a goal. How a body ends depends only on the pebble
/// and the number of the attempt, and is therefore the same in every process.
func randomPond(seed: UInt64, mostPebbles: Int = 8) -> Pond {
  var generator = SeededGenerator(seed: seed)
  let limit = Bool.random(using: &generator) ? nil : Int.random(in: 1...3, using: &generator)
  let pond = Pond(
    "random\(seed)", maxConcurrent: limit,
    onFailure: Int.random(in: 0..<5, using: &generator) == 0 ? .cancelAll : .ignore)
  var pebbles: [Pebble<Int>] = []
  for number in 0..<Int.random(in: 1...mostPebbles, using: &generator) {
    // How many attempts fail; a third of the pebbles fail for good.
    let failing = [0, 0, 1, 2, .max, .max].randomElement(using: &generator) ?? 0
    var traits: [PebbleTrait] = []
    if Bool.random(using: &generator) { traits.append(.retry(.attempts(3))) }
    if Int.random(in: 0..<4, using: &generator) == 0 { traits.append(.exclusive("disk")) }
    traits.append(.priority(Int.random(in: -1...1, using: &generator)))
    let body: @Sendable (Int) throws -> Int = { input in
      if PebbleContext.current?.attempt ?? 1 <= failing { throw Failing() }
      return input + number
    }
    if let read = pebbles.randomElement(using: &generator), Bool.random(using: &generator) {
      pebbles.append(
        pond.pebble("p\(number)", .traits(traits), needs: read.optional) { try body($0 ?? 0) })
    } else {
      pebbles.append(pond.pebble("p\(number)", .traits(traits)) { try body(0) })
    }
  }
  let atoms = pebbles.map(atoms)
  for pebble in pebbles where Bool.random(using: &generator) {
    pebble.ready = condition(over: atoms, depth: 2, &generator)
  }
  if Bool.random(using: &generator) {
    pond.goal = condition(over: atoms, depth: 2, &generator)
  }
  return pond
}

/// Returns the conditions on a pebble from which larger conditions are composed.
private func atoms(of pebble: Pebble<Int>) -> [Condition] {
  let (odd, small) = (
    pebble.succeeded("odd") { !$0.isMultiple(of: 2) }, pebble.succeeded("small") { $0 < 4 }
  )
  let meant = pebble.failed("as meant") { $0 is Failing }
  return [
    pebble.succeeded, pebble.failed, pebble.skipped, pebble.completed, pebble.settled,
    !pebble.succeeded, odd, !odd, small, meant, !meant, pebble.is(3), !pebble.is(5),
  ]
}

private func condition(
  over atoms: [[Condition]], depth: Int, _ generator: inout SeededGenerator
) -> Condition {
  if depth == 0 || Bool.random(using: &generator) {
    let pebble = atoms[Int.random(in: atoms.indices, using: &generator)]
    return pebble[Int.random(in: pebble.indices, using: &generator)]
  }
  let first = condition(over: atoms, depth: depth - 1, &generator)
  let second = condition(over: atoms, depth: depth - 1, &generator)
  return Bool.random(using: &generator) ? first && second : first || second
}
