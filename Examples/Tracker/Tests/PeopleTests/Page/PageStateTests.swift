import Testing
import TrackerTestSupport

/// Tests for the state of the page, without a page.
@Suite(.enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageStateTests {
  /// The initial state of the tests, in which the page has received its first answer.
  private static let opened = """
    const rows = count => Array.from({ length: count }, (_, number) => ({ number }));
    const commands = [];
    let state = initialState('visitor');
    const act = (...actions) => {
      for (const action of actions) {
        const [next, more] = reduce(state, action);
        state = next;
        commands.push(...more);
      }
      return commands.splice(0);
    };
    const types = list => list.map(({ type }) => type).join(' ');
    const answer = (revision, total) =>
      ({ type: 'answered', revision, total, everybody: 1000, rows: rows(Math.min(100, total)) });
    act({ type: 'opened' }, answer(1, 1000), { type: 'rowsSeen', first: 0, end: 20 });

    """

  func result(_ code: String) async throws -> JSONValue {
    try await JavaScript.result(
      importing: [
        "state.mjs", "keys.mjs", "heights.mjs", "scale.mjs", "store.mjs", "filters.mjs",
        "address.mjs",
      ],
      Self.opened + code)
  }

  @Test func aStateIsNeverChanged() async throws {
    let result = try await result(
      """
      const freeze = value => {
        if (!value || typeof value !== 'object') return value;
        Object.values(value).forEach(freeze);
        return Object.freeze(value);
      };
      const actions = [
        { type: 'nameChanged', text: 'a' }, answer(2, 500),
        { type: 'rowsSeen', first: 150, end: 330 },
        { type: 'pageCame', revision: 2, page: 2, rows: rows(100) },
        { type: 'pageFailed', revision: 2, page: 1, problem: 'p' }, { type: 'retried' },
        { type: 'moved', by: 3 }, { type: 'selected', place: 9 }, { type: 'lastSelected' },
        { type: 'chosen', revision: 2, seed: 1, place: 3, person: {} },
        { type: 'choiceFailed', revision: 2, problem: 'q' },
        { type: 'sizesChanged', sizes: { from: '45', to: '40' } },
        { type: 'bloodTypesChanged', types: ['O+'] }, { type: 'filtersCleared' },
        { type: 'orderChanged', order: 'size' }, { type: 'refused', revision: 4, problem: 'r' },
        { type: 'delayed', revision: 4, seconds: 1 }, { type: 'waited', revision: 4 },
        { type: 'rested' }, { type: 'addressChanged', filters: noFilters, notice: 'n' },
      ];
      for (const action of actions) {
        const before = freeze(state), pages = [...state.pages];
        const one = reduce(before, freeze(action)), other = reduce(before, action);
        if (JSON.stringify(one) !== JSON.stringify(other)) return `${action.type} is not pure`;
        if (JSON.stringify([...before.pages]) !== JSON.stringify(pages)) {
          return `${action.type} changes pages`;
        }
        state = one[0];
      }
      return 'pure';
      """)
    #expect(result == "pure")
  }

  @Test func everyChangeOfAFilterAsksTheWholeQuestion() async throws {
    let result = try await result(
      """
      return [
        act({ type: 'nameChanged', text: 'ann' }),
        act({ type: 'bloodTypesChanged', types: ['O+'] }),
        act({ type: 'sizesChanged', sizes: { from: '40', to: '' } }),
        act({ type: 'orderChanged', order: 'size' }),
      ].map(commands => commands.find(({ type }) => type === 'search'));
      """)
    #expect(result.elements.map { $0["revision"] } == [2, 3, 4, 5])
    #expect(
      result.elements.last?["question"] == [
        "name": "ann", "bloodTypes": ["O+"], "order": "size", "from": 40, "to": nil,
      ])
  }

  @Test func onlyTheNewestAnswerIsShown() async throws {
    let result = try await result(
      """
      act({ type: 'nameChanged', text: 'a' }, { type: 'nameChanged', text: 'an' });
      const old = act(answer(2, 7)), oldTotal = state.total;
      act({ type: 'refused', revision: 2, problem: 'too late' });
      const newest = act(answer(3, 5));
      return [types(old), oldTotal, types(newest), state.total, state.problem, countText(state)];
      """)
    #expect(result == ["", 1_000, "showList", 5, "", "5 of 1,000 people"])
  }

  @Test func pagesInSightAreFetchedOnceAndOthersLetGo() async throws {
    let result = try await result(
      """
      const first = act({ type: 'rowsSeen', first: 95, end: 205 });
      const again = act({ type: 'rowsSeen', first: 96, end: 206 });
      act({ type: 'pageCame', revision: 1, page: 1, rows: rows(100) });
      const early = act({ type: 'rowsSeen', first: 900, end: 930 });
      const away = act({ type: 'rested' });
      act({ type: 'pageCame', revision: 1, page: 2, rows: rows(100) });
      act({ type: 'pageCame', revision: 0, page: 9, rows: rows(100) });
      return [first.map(c => c.from ?? c.milliseconds), types(again), types(early),
        away.map(c => [c.type, c.page ?? c.milliseconds]), [...state.pages.keys()],
        personAt(state, 950) ?? null];
      """)
    #expect(
      result == [
        [100, 200, 250], "", "", [["abandonPage", 2], ["fetchPage", 9], ["rest", 125]], [1, 9], nil,
      ])
  }

  @Test func aPageThatFailedIsFetchedAgainWhenAsked() async throws {
    let result = try await result(
      """
      act({ type: 'rowsSeen', first: 300, end: 320 });
      act({ type: 'pageFailed', revision: 1, page: 3, problem: 'The server cannot be reached.' });
      const scrolling = act({ type: 'rowsSeen', first: 301, end: 321 }), { problem } = state;
      act({ type: 'rested' });
      const retried = act({ type: 'retried' });
      return [types(scrolling), problem, retried.map(c => c.page ?? c.type), state.problem];
      """)
    #expect(result == ["", "The server cannot be reached.", [3, "rest"], ""])
  }

  @Test func aListThatIsGoneIsAskedForAgain() async throws {
    let result = try await result(
      """
      act({ type: 'rowsSeen', first: 300, end: 420 });
      const gone = { type: 'pageFailed', revision: 1, problem: 'gone', isListGone: true };
      return [types(act({ ...gone, page: 3 })), types(act({ ...gone, page: 4 })), state.revision];
      """)
    #expect(result == ["search", "", 2])
  }

  @Test func aSearchThatFailedIsRepeated() async throws {
    let result = try await result(
      """
      act({ type: 'nameChanged', text: 'a' }, { type: 'refused', revision: 2, problem: 'why' });
      const { status, problem, total } = state;
      const seen = act({ type: 'rowsSeen', first: 500, end: 510 });
      const [again] = act({ type: 'retried' });
      return [status, problem, total, types(seen), again.type, again.revision, again.question.name];
      """)
    #expect(result == ["failed", "why", 1_000, "", "search", 3, "a"])
  }

  @Test func aServerThatIsNotReadyIsAskedAgain() async throws {
    let result = try await result(
      """
      act({ type: 'nameChanged', text: 'a' });
      const [wait] = act({ type: 'delayed', revision: 2, seconds: 5 });
      const told = countText(state), busy = isBusy(state);
      const early = act({ type: 'waited', revision: 1 });
      const [again] = act({ type: 'waited', revision: 2 });
      const toldStill = countText(state);
      act({ type: 'delayed', revision: 2, seconds: 5 });
      const asked = types(act({ type: 'delayed', revision: 3, seconds: 5 }));
      act({ type: 'nameChanged', text: 'an' });
      const late = act({ type: 'waited', revision: 3 }), loading = state.status;
      act(answer(4, 7));
      const tooLate = act({ type: 'waited', revision: 4 });
      return [wait, told, busy, types(early), again.revision, again.question.name, toldStill, asked,
        types(late), loading, state.status, countText(state), types(tooLate)];
      """)
    let sentence: JSONValue = "The people are being prepared…"
    #expect(
      result == [
        ["type": "wait", "revision": 2, "seconds": 5], sentence, true, "", 3, "a", sentence, "wait",
        "", "loading", "ready", "7 of 1,000 people", "",
      ])
  }

  @Test func whileSizesAreNoneNobodyIsAskedAgain() async throws {
    let result = try await result(
      """
      act({ type: 'delayed', revision: 1, seconds: 1 });
      act({ type: 'sizesChanged', sizes: { from: '45', to: '40' } });
      const bad = act({ type: 'waited', revision: 1 });
      return [types(bad), types(act({ type: 'sizesChanged', sizes: { from: '', to: '40' } }))];
      """)
    #expect(result == ["", "remember search"])
  }

  @Test(arguments: [
    ("45", "40", "No size is at least 45 and at most 40."), ("none", "", "Sizes are whole"),
    ("29.5", "", "Sizes are whole"), ("", "55.5", "Sizes are whole"),
    ("42.25", "", "Sizes are whole"), ("1e999", "", "Sizes are whole"),
  ])
  func sizesThatAreNoneAreNotAsked(from: String, to: String, problem: String) async throws {
    let result = try await result(
      """
      const bad = act({ type: 'sizesChanged', sizes: { from: '\(from)', to: '\(to)' } });
      const { sizeProblem } = state, name = act({ type: 'nameChanged', text: 'a' });
      const good = act({ type: 'sizesChanged', sizes: { from: '', to: '' } });
      return [types(bad), types(name), sizeProblem, types(good), state.sizeProblem];
      """)
    let parts = result.elements
    #expect(parts.count == 5 && parts[0] == "" && parts[1] == "")
    #expect(parts[2].text?.hasPrefix(problem) == true)
    #expect(parts[3] == "remember search" && parts[4] == "")
  }

  /// Checks that the page requests no more than ten pages of rows per second, regardless of how the
  /// scroll bar is dragged and how many of these pages are partly in view.
  @Test(arguments: [1, 2, 3])
  func noMoreThanTenPagesAreAskedForInASecond(pagesInSight: Int) async throws {
    let result = try await result(
      """
      let now = 0, restedAt = Infinity;
      const asked = [];
      state = { ...state, total: 1_000_000 };
      for (; now < 5_000; now += 5) {
        const actions = now >= restedAt ? [{ type: 'rested' }] : [];
        const first = (now * 997) % 900_000 - (now * 997) % 100;
        actions.push({ type: 'rowsSeen', first, end: first + \(pagesInSight) * 100 });
        if (now >= restedAt) restedAt = Infinity;
        for (const command of act(...actions)) {
          if (command.type === 'fetchPage') asked.push(now);
          if (command.type === 'rest') restedAt = now + command.milliseconds;
        }
      }
      const most = Math.max(
        ...asked.map(start => asked.filter(time => time >= start && time < start + 1_000).length));
      return [most, asked.at(-1) > 4_000];
      """)
    #expect((8...10).contains(result.elements[0].number ?? 0) && result.elements[1] == true)
  }

  @Test func changesOfOneFilterAreOneEntryOfTheHistory() async throws {
    let result = try await result(
      """
      return [
        { type: 'nameChanged', text: 'a' }, { type: 'nameChanged', text: 'an' },
        { type: 'orderChanged', order: 'size' }, { type: 'nameChanged', text: 'ann' },
        { type: 'addressChanged', filters: noFilters, notice: '' },
        { type: 'nameChanged', text: 'b' },
      ].flatMap(action => act(action)).filter(({ type }) => type === 'remember')
        .map(({ isNew, filters }) => `${isNew} ${queryOf(filters)}`);
      """)
    #expect(
      result == [
        "true ?name=a", "false ?name=an", "true ?name=an&order=size", "true ?name=ann&order=size",
        "true ?name=b",
      ])
  }

  @Test func theSelectionStaysInTheList() async throws {
    let result = try await result(
      """
      const places = [
        { type: 'moved', by: 1 }, { type: 'moved', by: -1 }, { type: 'moved', by: 30 },
        { type: 'lastSelected' }, { type: 'moved', by: 1 }, { type: 'selected', place: 0 },
        { type: 'selected', place: -5 }, { type: 'selected', place: 5000 },
      ].map(action => (act(action), state.selected));
      act({ type: 'nameChanged', text: 'x' }, answer(2, 0));
      const none = act({ type: 'moved', by: 1 });
      return [places, state.selected, types(none)];
      """)
    #expect(result == [[0, 0, 30, 999, 999, 0, 0, 999], nil, ""])
  }

  @Test func aChoiceOfAnotherListIsNotShown() async throws {
    let result = try await result(
      """
      const [asked] = act({ type: 'choiceAsked', seed: 5 });
      act({ type: 'chosen', revision: 1, seed: 5, place: 700, person: { name: 'Ann' } });
      const { selected, choice } = state;
      act({ type: 'nameChanged', text: 'x' });
      const while_ = act({ type: 'choiceAsked', seed: 5 });
      act(answer(2, 10), { type: 'chosen', revision: 1, seed: 5, place: 700, person: {} });
      return [asked.revision, asked.seed, selected, choice.seed, types(while_), state.choice];
      """)
    #expect(result == [1, 5, 700, 5, "", nil])
  }

  @Test func keysMoveTheSelectionOnlyWhileTheyShould() async throws {
    let result = try await result(
      """
      const meaning = (key, field, more) => {
        const found = meaningOf({ key, field, ...more }, 12);
        return found ? found.by ?? found.place ?? found.focus ?? found.type : null;
      };
      const keys = [
        'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'ArrowLeft', 'j', '/',
      ];
      const fields = ['other', 'text', 'number', 'choice'];
      return [...fields.map(field => keys.map(key => meaning(key, field))),
        meaning('ArrowDown', 'other', { hasModifier: true }),
        meaning('ArrowDown', 'text', { isComposing: true })];
      """)
    let nothing = JSONValue.array(Array(repeating: .null, count: 9))
    #expect(
      result == [
        [1, -1, 12, -12, 0, "lastSelected", nil, nil, nil],
        [1, -1, 12, -12, nil, nil, nil, nil, nil], nothing, nothing, nil, nil,
      ])
  }

  @Test func anActionThatComesWhileAnotherIsTakenWaits() async throws {
    let result = try await result(
      """
      const told = [];
      const sum = (state, by) => [state + by, by > 1 ? [{ type: 'c', state }] : []];
      const store = new Store(0, sum, {
        perform: command => told.push(command.state),
        show: state => { told.push(`now ${state}`); if (state === 2) store.send(10); },
      });
      store.send(2);
      return [told, store.state];
      """)
    #expect(result == [["now 2", 0, "now 12", 2], 12])
  }

  @Test func heightsAreThoseOfASlowList() async throws {
    let result = try await result(
      """
      let seed = 1;
      const random = below => (seed = (seed * 48271) % 2147483647) % below;
      for (const count of [1, 2, 7, 64, 100, 1000]) {
        const heights = new Heights(count, 44), slow = new Array(count).fill(44);
        for (let step = 0; step < 300; step++) {
          const row = random(count), height = 20 + random(100);
          heights.set(row, height);
          slow[row] = height;
          const upTo = random(count + 1);
          const offset = slow.slice(0, upTo).reduce((sum, each) => sum + each, 0);
          if (heights.offset(upTo) !== offset) return `offset ${upTo} of ${count}`;
          const total = slow.reduce((sum, each) => sum + each, 0), at = random(total);
          let found = 0, end = slow[0];
          while (end <= at) end += slow[++found];
          if (heights.rowAt(at) !== found) return `row at ${at} of ${count}`;
        }
        if (heights.rowAt(-9) !== 0 || heights.rowAt(1e9) !== count - 1) return 'outside';
      }
      return new Heights(0, 44).rowAt(5) === 0 && 'alike';
      """)
    #expect(result == "alike")
  }

  @Test func aScrollBarReachesEveryPixelNearTheEndsAndAllBetweenThem() async throws {
    let result = try await result(
      """
      for (const total of [0, 100, 900, 3_999_999, 4_000_001, 22_000_000, 60_000_000]) {
        const scale = new Scale(total, 800);
        if (scale.scrollHeight > mostScrollHeight) return `too high at ${total}`;
        if (scale.top(0) !== 0) return `start of ${total}`;
        if (scale.top(scale.lastScroll) !== scale.lastTop) return `end of ${total}`;
        let before = -1;
        for (let scroll = 0; scroll <= scale.lastScroll; scroll += 997) {
          const top = scale.top(scroll);
          if (top < before) return `backwards at ${scroll} of ${total}`;
          if (Math.abs(scale.scroll(top) - scroll) > 1e-3) return `not inverse at ${scroll}`;
          if (scroll < edge && top !== scroll) return `not true at ${scroll} of ${total}`;
          before = top;
        }
      }
      return 'good';
      """)
    #expect(result == "good")
  }
}
