import Foundation
import Fuzzing
import Pebbles
import PebblesAnalysis
import SwiftProtobuf
import TemporalWire

@testable import PebblesTemporal

/// A program that runs the fuzz targets of the fleet.
@main struct FuzzFleet {
  static func main() { FuzzTarget.run([.payloads, .histories]) }
}

extension FuzzTarget {
  /// A fuzz target for workflow inputs. The lines of the input are the settings, the pond and the
  /// given values. The first line is also decoded as other data that workers exchange.
  static let payloads = FuzzTarget("payloads") { bytes in
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 7).map { Data($0) }
    guard let first = lines.first else { return }
    tryInput(lines)
    tryManifest(first, lines.dropFirst().map { TemporalPayload(json: $0) })
    if let known = try? JSONDecoder().decode(CallProgress.self, from: first) {
      _ = known.fitting.attempt
    }
    if let status = try? JSONDecoder().decode(FleetStatus.self, from: first) {
      expect(!status.description.isEmpty, "a status says nothing")
      expectReadsBack(status)
    }
    if let cases = try? JSONDecoder().decode([PebbleCase].self, from: first) {
      expectReadsBack(cases)
    }
  }

  private static func tryInput(_ lines: [Data]) {
    do throws(ReplayError) {
      let input = try RunInput(
        Array(lines.prefix(2)), lines.dropFirst(2).map { TemporalPayload(json: $0) })
      guard let encoded = try? input.encoded() else { fail("an input was read and is not written") }
      let copy = try RunInput(encoded.map { Data($0) }, input.outputs)
      expect((try? copy.encoded()) == encoded, "an input is not written as it was read")
      expect(copy.settings.given == input.settings.given, "another value is given")
    } catch {
      expect(!error.description.isEmpty, "a refusal says nothing")
    }
  }

  private static func tryManifest(_ bytes: Data, _ outputs: [TemporalPayload]) {
    guard let manifest = try? JSONDecoder().decode(BodyManifest.self, from: bytes) else { return }
    expectReadsBack(manifest)
    do throws(ReplayError) {
      let outcomes = try manifest.outcomes(outputs)
      expect(outcomes.count <= manifest.inputs.count, "more inputs than there are")
    } catch {
      expect(!error.description.isEmpty, "a refusal says nothing")
    }
  }

  private static func expectReadsBack<Value: Codable & Equatable>(_ value: Value) {
    guard let written = try? JSONEncoder().encode(value) else { return }
    let copy = try? JSONDecoder().decode(Value.self, from: written)
    expect(copy == value, "\(value) does not read back the same")
  }

  /// A fuzz target for run histories. The first two lines of the input are the settings and the
  /// pond. Each further line is an event in the JSON format of the protocol. An event without a
  /// number gets the next number.
  static let histories = FuzzTarget("histories") { bytes in
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Data($0) }
    guard lines.count > 1 else { return }
    do throws(ReplayError) {
      let input = try RunInput(Array(lines.prefix(2)))
      guard input.model.count <= 100 else { return }
      var first = TemporalHistoryEvent()
      first.eventID = 1
      first.workflowExecutionStartedEventAttributes = .init()
      let replay = try RunReplay(first, input, TemporalWorkflowExecution())
      defer { lookAtEnd(of: replay) }
      look(replay)
      for line in lines.dropFirst(2).prefix(200) {
        guard var event = try? TemporalHistoryEvent(jsonUTF8Bytes: line) else { return }
        if event.eventID == 0 { event.eventID = replay.lastEvent + 1 }
        try replay.apply(event)
        look(replay)
      }
    } catch {
      expect(!error.description.isEmpty, "a refusal says nothing")
    }
  }

  /// Computes the decisions after an event, as a worker does, and reads the status.
  private static func look(_ replay: RunReplay) {
    let decisions = replay.decisions()
    expect(decisions.count <= 2 * replay.names.count + 3, "more is to be done than there is")
    expect(!replay.status.description.isEmpty, "a status says nothing")
  }

  /// Reads the record of a run after the last event of its history. Records in between are those of
  /// shorter histories.
  private static func lookAtEnd(of replay: RunReplay) {
    if let run = replay.recorded() {
      let copy = try? RecordedRun(json: run.json())
      expect(copy?.json() == run.json(), "a run is recorded that does not read back the same")
      _ = RunResult(run)
      _ = replay.ending
    }
  }
}
