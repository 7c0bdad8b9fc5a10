import Fuzzing
import PebblesAnalysis
import PebblesPictures

extension FuzzTarget {
  /// The target for pages that contain a run, and for runs from which pages are made.
  static let pages = FuzzTarget("pages") { bytes in
    do throws(JSONError) {
      let document = try PondDocument(bytes)
      guard let run = document.run else { return }
      expectReadsBack(page: run.page(), of: run)
    } catch {
      expectPlace(error, in: bytes)
    }
  }

  /// Expects that the run of a page is read back from the page.
  private static func expectReadsBack(page: String, of run: RecordedRun) {
    do throws(JSONError) {
      let document = try PondDocument(page.utf8)
      guard document.kind == .page, let copy = document.run else { fail("a page is no page") }
      expectAlike(copy, run)
    } catch {
      fail("a page was made that is refused: \(error)")
    }
  }
}
