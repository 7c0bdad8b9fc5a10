import Fuzzing
import PebblesAnalysis
import PebblesPictures

extension FuzzTarget {
  /// Pages with a run, and runs that pages are made of.
  static let pages = FuzzTarget("pages") { bytes in
    do throws(JSONError) {
      let document = try PondDocument(bytes)
      guard let run = document.run else { return }
      expectReadsBack(page: run.page(), of: run)
    } catch {
      expectPlace(error, in: bytes)
    }
  }

  /// A page holds its run, whatever else stands in it.
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
