extension Table {
  /// A row per shape and size, a column per contestant.
  init(_ cases: [CaseResult]) {
    let peers = cases.first?.results.dropFirst().map(\.name) ?? []
    self.init(
      title: "Define + run + report, nanoseconds per pebble",
      header: ["shape", "pebbles", "pond", "of which define + run + report", "release"]
        + peers.map { "/ \($0)" })
    rows = cases.map { result in
      [result.shape.rawValue, "\(result.pebbles)"] + Self.pondCells(result.pond)
        + result.results.dropFirst().map(Self.peerCell)
    }
    notes = [
      """
      Medians of rounds that run every contestant in turn (minimum..maximum). A ratio is the \
      pond's time over the peer's, taken round by round: below 1, the pond is faster. After it \
      stand the peer's own nanoseconds per pebble. Releasing what was built is in neither.
      """
    ]
    if peers.contains("oneTBB"), OneTBBContestant.version == nil {
      notes.append(OneTBBContestant.installation)
    }
  }

  private static func pondCells(_ pond: ContestantResult?) -> [String] {
    guard let pond, let total = pond.total, let define = pond.define, let run = pond.run,
      let report = pond.report, let release = pond.release
    else { return ["", "", ""] }
    let parts = [define, run, report].map { ratioText($0.median) }
    return [spreadText(total), parts.joined(separator: " + "), ratioText(release.median)]
  }

  private static func peerCell(_ peer: ContestantResult) -> String {
    guard let ratio = peer.ratio, let total = peer.total else { return peer.note ?? "" }
    return "\(spreadText(ratio)) of \(ratioText(total.median))"
  }

  /// A row per target.
  init(_ targets: [TargetResult]) {
    self.init(
      title: "Targets", header: ["target", "case", "at most", "measured", "verdict", "remark"])
    rows = targets.map { target in
      [
        target.target, target.subject, "\(target.limit)",
        target.measured.map(spreadText) ?? "", Self.verdict(target), target.note ?? "",
      ]
    }
    let missed = targets.count { $0.isMet == false }
    let unknown = targets.count { $0.isMet == nil }
    notes = ["\(targets.count - missed - unknown) met, \(missed) not met, \(unknown) not measured."]
  }

  private static func verdict(_ target: TargetResult) -> String {
    switch target.isMet {
    case true?: "met"
    case false?: "NOT MET"
    case nil: "not measured"
    }
  }
}

/// `1.24 (1.20..1.31)`, or only the number where there was one measurement.
private func spreadText(_ spread: Spread) -> String {
  let median = ratioText(spread.median)
  guard spread.minimum < spread.maximum else { return median }
  return "\(median) (\(ratioText(spread.minimum))..\(ratioText(spread.maximum)))"
}
