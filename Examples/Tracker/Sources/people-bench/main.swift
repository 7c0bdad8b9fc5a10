// Prints the server's cost of a filter change and of a page of rows: medians of interleaved runs.
//
//     swift run -c release people-bench [people] [repetitions]

import Foundation
import People

let arguments = CommandLine.arguments.dropFirst().map { Int($0) }
let count = arguments.first.flatMap { $0 } ?? 500_000
let repetitions = arguments.dropFirst().first.flatMap { $0 } ?? 21
guard arguments.allSatisfy({ ($0 ?? 0) > 0 }) else {
  print("people-bench takes the number of people and of repetitions, both at least 1")
  exit(64)
}

let clock = ContinuousClock()
let start = clock.now
let people = try People(generating: count, seed: 1)
print("\(count) people generated in \(milliseconds(clock.now - start)) ms")

let bench = Bench(service: PeopleService(people), visitor: try VisitorID("benchmark"))
var samples: [[Duration]] = Bench.cases.map { _ in [] }
for _ in 0..<repetitions {
  for (place, scenario) in Bench.cases.enumerated() {
    samples[place].append(try await bench.time(scenario, clock))
  }
}
print("median and longest of \(repetitions), in ms")
for (scenario, samples) in zip(Bench.cases, samples) {
  let sorted = samples.sorted()
  let (median, longest) = (sorted[sorted.count / 2], sorted[sorted.count - 1])
  print(
    "\(scenario.name.padding(toLength: 44, withPad: " ", startingAt: 0))"
      + "\(milliseconds(median))  \(milliseconds(longest))")
}

func milliseconds(_ duration: Duration) -> String {
  String(format: "%8.3f", duration / .milliseconds(1))
}
