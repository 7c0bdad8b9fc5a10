import Testing

@testable import Sections

/// Tests for the order of pages, without a server.
@Suite struct PageSequenceTests {
  @Test func oneOfNoneIsTheLast() {
    var sequence = PageSequence(.none, mostPages: 10)

    #expect(sequence.known == [PageSequence.Page(index: 0, address: .first)])
    #expect(sequence.pageArrived(count: 5, newCount: 5, token: nil) == .ended)
    #expect(sequence.known.isEmpty)
  }

  @Test func severalPagesAreKnownOnceOneWasFull() {
    var sequence = PageSequence(.page(size: 10, first: 0, ahead: 3), mostPages: 100)

    #expect(sequence.known.map(\.address) == [.number(0)])
    #expect(sequence.pageArrived(count: 10, newCount: 10, token: nil) == .goOn)
    #expect(sequence.known.map(\.address) == [.number(1), .number(2), .number(3)])
    #expect(sequence.pageArrived(count: 10, newCount: 10, token: nil) == .goOn)
    #expect(sequence.known.map(\.address) == [.number(2), .number(3)])
    #expect(sequence.pageArrived(count: 9, newCount: 9, token: nil) == .ended)
    #expect(sequence.known.isEmpty)
  }

  @Test func noPageBeyondTheLimitIsKnown() {
    var sequence = PageSequence(.page(size: 1, first: 1, ahead: 10), mostPages: 3)

    #expect(sequence.pageArrived(count: 1, newCount: 1, token: nil) == .goOn)
    #expect(sequence.known.map(\.index) == [1, 2])
    #expect(sequence.pageArrived(count: 1, newCount: 1, token: nil) == .goOn)
    #expect(sequence.pageArrived(count: 1, newCount: 1, token: nil) == .failed(.tooManyPages(3)))
  }

  @Test(arguments: [nil, ""])
  func withoutATokenThereIsNoNext(token: String?) {
    var sequence = PageSequence(.token(key: "after"), mostPages: 10)

    #expect(sequence.pageArrived(count: 3, newCount: 3, token: token) == .ended)
  }

  @Test func aTokenThatComesAgainIsAFault() {
    var sequence = PageSequence(.token(key: "after"), mostPages: 10)

    #expect(sequence.pageArrived(count: 3, newCount: 3, token: "a") == .goOn)
    #expect(sequence.pageArrived(count: 3, newCount: 3, token: "b") == .goOn)
    #expect(sequence.pageArrived(count: 3, newCount: 3, token: "a") == .failed(.repeatedToken("a")))
    #expect(sequence.known.isEmpty)
  }

  @Test func emptyPagesWithNewTokensEndSoon() {
    var sequence = PageSequence(.token(key: "after"), mostPages: 1_000)

    #expect(sequence.pageArrived(count: 0, newCount: 0, token: "a") == .goOn)
    #expect(sequence.pageArrived(count: 0, newCount: 0, token: "b") == .goOn)
    #expect(
      sequence.pageArrived(count: 0, newCount: 0, token: "c") == .failed(.nothingNew(pages: 3)))
  }

  @Test func somethingNewBeginsTheCountAnew() {
    var sequence = PageSequence(.page(size: 2), mostPages: 1_000)

    for newCount in [2, 0, 0, 1, 0, 0, 1] {
      #expect(sequence.pageArrived(count: 2, newCount: newCount, token: nil) == .goOn)
    }
  }

  @Test func anAddressKeepsItsOwnQuery() {
    func url(_ url: String, _ paging: SectionPaging, _ address: PageAddress) -> String {
      let page = PageSequence.Page(index: 1, address: address)
      return SectionRequest("s", page, paging, url: url, headers: [:]).url
    }

    #expect(url("http://h/a?b=c#d", .none, .first) == "http://h/a?b=c")
    #expect(url("http://h/a", .page(size: 3), .number(2)) == "http://h/a?page=2&size=3")
    #expect(
      url("http://h/a?b=c", .token(key: "t&"), .token("x y&z=é\n"))
        == "http://h/a?b=c&t%26=x%20y%26z%3D%C3%A9%0A")
  }
}
