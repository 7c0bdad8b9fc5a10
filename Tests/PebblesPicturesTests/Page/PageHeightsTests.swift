import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the heights of rows, of their offsets, and of the rows at offsets.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageHeightsTests {
  @Test func rowsOfTheUsualHeightAreFoundByDivision() throws {
    let said = try JavaScript.result(
      of: """
        const rows = new Heights(3, 10);
        const found = [-5, 0, 9.5, 10, 29, 30, 999].map(offset => rows.rowAt(offset));
        return [found, rows.total, rows.offset(2), rows.of(1)].join(' ');
        """)

    #expect(said == "0,0,0,1,2,2,2 30 20 10")
  }

  @Test func anOpenRowMovesTheRowsBelowIt() throws {
    let said = try JavaScript.result(
      of: """
        const rows = new Heights(3, 10);
        rows.set(1, 25);
        const open = [0, 1, 2, 3].map(row => rows.offset(row));
        const found = [-5, 0, 9, 10, 34, 35, 44, 45, 999].map(offset => rows.rowAt(offset));
        rows.set(1, 10);
        const closed = [0, 1, 2, 3].map(row => rows.offset(row));
        return [open, found, rows.of(1), closed, rows.rowAt(29)].join(' ');
        """)

    #expect(said == "0,10,35,45 0,0,0,1,1,2,2,2,2 10 0,10,20,30 2")
  }

  @Test func offsetsAreSumsOfHeights() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.random)
        for (let round = 0; round < \(Thoroughness.times(25)); round++) {
          const count = 1 + below(40), plain = new Array(count).fill(20);
          const rows = new Heights(count, 20);
          for (let change = below(12); change >= 0; change--) {
            const row = below(count), height = oneOf([1, 5, 20, 33, 400]);
            plain[row] = height;
            rows.set(row, height);
          }
          const sums = [0];
          for (const height of plain) sums.push(sums.at(-1) + height);
          expectSame(listOf(count, row => rows.of(row)), plain, 'heights');
          expectSame(listOf(count + 1, row => rows.offset(row)), sums, 'offsets');
          expectSame(rows.total, sums.at(-1), 'total');
          for (let offset = -3; offset < sums.at(-1) + 50; offset += 1 + below(20)) {
            // The last row that begins at the offset or above it.
            const row = sums.slice(0, -1).findLastIndex(sum => sum <= offset);
            expectSame(rows.rowAt(offset), Math.max(0, row), `row at ${offset} of ${plain}`);
          }
        }
        return verdict();
        """)

    #expect(wrong == "")
  }
}
