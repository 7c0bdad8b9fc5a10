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
    do throws(JSONError) {
      _ = try RecordedRun(page: bytes)
    } catch {
      // Of what is in the page; where that is, the page's reader says.
      expect(error.offset <= bytes.count && !error.problem.isEmpty, "a refusal without a place")
    }
  }

  /// A page holds its run, for either reader, whatever else stands in it.
  private static func expectReadsBack(page: String, of run: RecordedRun) {
    do throws(JSONError) {
      let document = try PondDocument(page.utf8)
      guard document.kind == .page, let copy = document.run else { fail("a page is no page") }
      expectAlike(copy, run)
      guard let other = try RecordedRun(page: page.utf8) else { fail("no run in a page") }
      expectAlike(other, run)
    } catch {
      fail("a page was made that is refused: \(error)")
    }
  }
}
