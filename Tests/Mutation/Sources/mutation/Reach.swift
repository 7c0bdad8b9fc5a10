import Foundation
import Synchronization

/// A measurement that runs each suite alone, and records the mutants that it reaches and the time
/// that it takes.
struct Reach {
  let workplace: Workplace

  func record(jobs: Int, isAnew: Bool) throws {
    let mutants = try workplace.readMutants()
    let size = (mutants.map(\.number).max() ?? 0) + 1
    let names = Dictionary(uniqueKeysWithValues: mutants.map { ($0.number, $0.id) })
    let known = Set(
      isAnew || !FileManager.default.fileExists(atPath: workplace.suites)
        ? [] : try Suite.readAll(workplace).map(\.name))
    if isAnew { try? FileManager.default.removeItem(atPath: workplace.suites) }
    let suites = try listSuites().filter { !known.contains($0.name) }
    let next = Atomic(0)
    let kept = Mutex(())
    let failures = Mutex([String]())
    say("\(suites.count) suites")
    DispatchQueue.concurrentPerform(iterations: jobs) { job in
      while failures.withLock(\.isEmpty) {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < suites.count else { break }
        do {
          let suite = try record(suites[index], job: job, size: size, names)
          try kept.withLock { _ in try suite.append(to: workplace) }
          let state = suite.passes ? "" : ", and fails"
          say("\(suite.name): \(suite.seconds) s, \(suite.reached.count) mutants\(state)")
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    if let failure = failures.withLock({ $0.first }) { throw Failure(failure) }
    let all = try Suite.readAll(workplace)
    let reached = all.reduce(into: Set<String>()) { $0.formUnion($1.reached) }
    say("\(mutants.count { reached.contains($0.id) }) of \(mutants.count) mutants are reached")
    for suite in all where !suite.passes { say("left out because it fails: \(suite.name)") }
  }

  private func listSuites() throws -> [Suite] {
    let listed = try ChildProcess(
      arguments: [workplace.tests, "--testing-library", "swift-testing", "--list-tests"]
    ).output()
    var tests: [String: [String]] = [:]
    for line in listed.split(separator: "\n") {
      guard let slash = line.lastIndex(of: "/"), line.contains(".") else { continue }
      let test = String(line[line.index(after: slash)...])
      // What measures the repository itself sees that the copy is one.
      guard !line.hasPrefix("TidyTests.") else { continue }
      tests[String(line[..<slash]), default: []].append(test)
    }
    return tests.map { Suite(name: $0, tests: $1) }.sorted { Self.rank($0) < Self.rank($1) }
  }

  /// Returns the rank of a suite. The suites of `Pebbles`, `PebblesDurable` and `PebblesAnalysis`
  /// come first, in this order.
  private static func rank(_ suite: Suite) -> (Int, String) {
    let order = ["PebblesTests.", "PebblesDurableTests.", "PebblesAnalysisTests."]
    return (order.firstIndex { suite.name.hasPrefix($0) } ?? order.count, suite.name)
  }

  private func record(
    _ suite: Suite, job: Int, size: Int, _ names: [Int: String]
  ) throws -> Suite {
    let map = "\(workplace.folder)/reach-\(getpid())-\(job)"
    try Data(count: size).write(to: URL(filePath: map))
    var suite = suite
    let start = ContinuousClock.now
    let (end, _) = try TestProcess(
      workplace: workplace, suites: [suite.name], reach: map, limit: 300, job: job
    ).run()
    let time = start.duration(to: .now) / .milliseconds(1)
    suite.seconds = (time / 10).rounded() / 100
    suite.passes = end == .exited(0)
    let bytes = try Data(contentsOf: URL(filePath: map))
    for (number, byte) in bytes.enumerated() where byte != 0 {
      if let id = names[number] { suite.reached.insert(id) }
    }
    return suite
  }
}
