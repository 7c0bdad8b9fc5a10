extension Table {
  /// Creates a table with a row per shape and size, and a column per contestant.
  init(_ cases: [CaseResult]) {
    let peers = cases.first?.results.dropFirst().map(\.name) ?? []
    self.init(
      title: "Define + run + report, nanoseconds of processors per pebble",
      header: ["shape", "pebbles", "pond", "of which define + run + report", "release", "wall"]
        + peers.map { "/ \($0)" })
    rows = cases.map { result in
      [result.shape.rawValue, "\(result.pebbles)"] + Self.pondCells(result.pond)
        + result.results.dropFirst().map(Self.peerCell)
    }
    notes = [
      """
      Medians of rounds that run every contestant in turn (minimum..maximum). A ratio is the \
      pond's time over the peer's, taken round by round: below 1, the pond takes less. After it \
      stand the peer's own nanoseconds per pebble, and the ratio by the clock on the wall. \
      Releasing what was built is in neither.
      """
    ]
    if peers.contains("oneTBB"), OneTBBContestant.version == nil {
      notes.append(OneTBBContestant.installation)
    }
  }

  private static func pondCells(_ pond: ContestantResult?) -> [String] {
    guard let pond, let total = pond.total, let define = pond.define, let run = pond.run,
      let report = pond.report, let release = pond.release, let wall = pond.wall
    else { return ["", "", "", ""] }
    let parts = [define, run, report].map { ratioText($0.median) }
    return [
      spreadText(total), parts.joined(separator: " + "), ratioText(release.median),
      ratioText(wall.median),
    ]
  }

  private static func peerCell(_ peer: ContestantResult) -> String {
    guard let ratio = peer.ratio, let wall = peer.wallRatio, let total = peer.total else {
      return peer.note ?? ""
    }
    return "\(spreadText(ratio)) of \(ratioText(total.median)), wall \(ratioText(wall.median))"
  }

  /// Creates a table with a row per target. The row contains the median of each run.
  init(targetsOf runs: [[TargetResult]]) {
    let numbers = runs.count == 1 ? ["measured"] : runs.indices.map { "run \($0 + 1)" }
    self.init(
      title: "Targets", header: ["target", "case", "at most"] + numbers + ["met", "remark"])
    let targets = runs.first?.indices.map { place in runs.map { $0[place] } } ?? []
    rows = targets.map { runs in
      [runs[0].target, runs[0].subject, "\(runs[0].limit)"] + runs.map(Self.targetCell)
        + [Self.verdict(runs), runs.last?.note ?? ""]
    }
    let always = targets.count { $0.allSatisfy { $0.isMet == true } }
    let never = targets.count { $0.allSatisfy { $0.isMet == false } }
    let unknown = targets.count { $0.contains { $0.isMet == nil } }
    notes = [
      """
      \(always) met, \(never) not met, \(targets.count - always - never - unknown) in some runs \
      only, \(unknown) not measured in all.
      """
    ]
  }

  private static func targetCell(_ target: TargetResult) -> String {
    let median = target.measured.map { ratioText($0.median) }
    let wall = target.wall.map { "wall \(ratioText($0.median))" }
    return [median, wall].compactMap { $0 }.joined(separator: ", ")
  }

  private static func verdict(_ runs: [TargetResult]) -> String {
    let verdicts = runs.compactMap(\.isMet)
    if verdicts.isEmpty { return "not measured" }
    if verdicts.count < runs.count { return "not in all runs" }
    let met = verdicts.count { $0 }
    if met == verdicts.count { return "yes" }
    return met == 0 ? "**no**" : "**\(met) of \(verdicts.count)**"
  }
}

extension Table {
  /// Creates a short table with a row per shape, at 100,000 pebbles.
  init(brief cases: [CaseResult]) {
    let peers = ["floor", "coordinator", "TaskGroup", "OperationQueue", "oneTBB"]
    self.init(title: "", header: ["100,000 pebbles", "pond"] + peers)
    rows = cases.filter { $0.pebbles == 100_000 }.map { result in
      [result.shape.rawValue, result.pond?.total.map { ratioText($0.median) } ?? ""]
        + peers.map { Self.briefCell(result.result(named: $0)) }
    }
  }

  private static func briefCell(_ peer: ContestantResult?) -> String {
    guard let peer else { return "" }
    guard let total = peer.total, let ratio = peer.ratio else { return peer.note ?? "" }
    return "\(ratioText(total.median)) (\(ratioText(1 / ratio.median)))"
  }
}

/// Returns the median and the range of a spread, such as `1.24 (1.20..1.31)`. The range is omitted
/// if all measurements are equal.
private func spreadText(_ spread: Spread) -> String {
  let median = ratioText(spread.median)
  guard spread.minimum < spread.maximum else { return median }
  return "\(median) (\(ratioText(spread.minimum))..\(ratioText(spread.maximum)))"
}
