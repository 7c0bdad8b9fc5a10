import Pebbles
import PebblesAnalysis
import PebblesTestSupport

/// A generator of simulated runs. Their pebbles have names of any length and very different
/// durations, including zero. Some of them fail, are skipped, wait for a limit or a thread, or are
/// retried.
struct RandomRun {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func run(of count: Int) throws -> RecordedRun {
    let limit = chance(1, in: 2) ? Int.random(in: 1...4, using: &generator) : nil
    let pond = Pond("random", maxConcurrent: limit)
    var pebbles: [Pebble<Void>] = []
    for number in 0..<count {
      pebbles.append(pond.pebble(name(number), when: condition(over: pebbles)) {})
    }
    var plan = SimulationPlan()
    for pebble in 0..<count {
      let most: [UInt64] = [0, 10, 1_000, 100_000, 10_000_000]
      let power = Int.random(in: 0..<most.count, using: &generator)
      plan.durations.append(UInt64.random(in: 0...most[power], using: &generator))
      if chance(1, in: 6) { plan.failures[pebble] = "out of \(pebble) spoons" }
    }
    let simulated = Simulator(try pond.model(), plan).run()
    return try RecordedRun(
      model: simulated.model, pebbles: simulated.pebbles.map { tried($0) },
      makespan: simulated.makespan)
  }

  private mutating func chance(_ part: Int, in whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &generator) < part
  }

  private mutating func name(_ number: Int) -> String {
    let suffixes = [
      "", "-short", " with a <longer> & \"quoted\" name", " 日本語の名前", "/wwwwwwwwwwwwwwwwwwwww",
      " שלום", "\u{202E}\n",
    ]
    return "p\(number)" + suffixes[Int.random(in: 0..<suffixes.count, using: &generator)]
  }

  private mutating func condition(over pebbles: [Pebble<Void>]) -> Condition {
    var parts: [Condition] = []
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      guard let pebble = pebbles.suffix(8).randomElement(using: &generator) else { break }
      let outcomes = [pebble.succeeded, pebble.completed, pebble.failed, pebble.settled]
      parts.append(outcomes[chance(1, in: 3) ? Int.random(in: 0...3, using: &generator) : 1])
    }
    return chance(1, in: 3) && !parts.isEmpty ? .any(parts) : .all(parts)
  }

  /// Returns the record of a pebble, in some cases with several attempts and a wait for a thread.
  private mutating func tried(_ record: RecordedPebble) -> RecordedPebble {
    guard let started = record.started?.nanoseconds, chance(1, in: 2) else { return record }
    let finished = record.finished.nanoseconds
    let late = chance(1, in: 2) ? started + (finished - started) / 5 : started
    let count = UInt64(Int.random(in: 1...4, using: &generator))
    let span = (finished - late) / count
    let attempts = (0..<count).map { number in
      let isLast = number + 1 == count
      let begin = late + number * span
      return RecordedAttempt(
        started: begin.asNanoseconds,
        finished: isLast ? record.finished : (begin + span / 2).asNanoseconds,
        error: isLast ? record.outcome.error : "not yet")
    }
    return RecordedPebble(
      name: record.name, outcome: record.outcome, ready: record.ready, started: late.asNanoseconds,
      finished: record.finished, decidedBy: record.decidedBy, attempts: attempts)
  }
}
