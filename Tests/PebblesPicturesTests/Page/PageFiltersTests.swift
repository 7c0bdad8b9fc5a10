import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the filters that choose the listed pebbles, and of the search for names.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageFiltersTests {
  @Test func aFilterKeepsItsAnswersUntilItIsAskedAnotherQuestion() throws {
    let said = try JavaScript.result(
      of: """
        const filter = new Filter(4), said = [], tested = [];
        const ask = (question, test, narrows) => {
          filter.ask(question, k => (tested.push(k), test(k)), narrows);
          said.push(`${question}: ${[...filter.passes]} of ${tested.splice(0).join() || 'none'}`);
        };
        ask('', k => false);
        ask('odd', k => k % 2);
        ask('odd', k => false);
        ask('above 1', k => k > 1);
        ask('above 2', k => k > 2, true);
        ask('', k => false);
        ask('below 2', k => k < 2, true);
        return said.join('\\n');
        """)

    #expect(
      said == """
        : 1,1,1,1 of none
        odd: 0,1,0,1 of 0,1,2,3
        odd: 0,1,0,1 of none
        above 1: 0,0,1,1 of 0,1,2,3
        above 2: 0,0,0,1 of 2,3
        : 1,1,1,1 of none
        below 2: 1,1,0,0 of 0,1,2,3
        """)
  }

  @Test func listedIsWhatPassesAllFilters() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.random)
        for (let round = 0; round < \(Thoroughness.times(80)); round++) {
          const count = below(70), filters = new Filters(count), names = ['text', 'outcome'];
          names.push('part', 'time');
          const passing = names.filter(() => below(2)).map(name => {
            const passes = listOf(count, () => below(4) > 0);
            filters[name].ask(`of ${round}`, k => passes[k]);
            return passes;
          });
          const all = listOf(count, k => k);
          const order = all.toSorted((one, other) => (one * 7 % 11) - (other * 7 % 11));
          const expected = list => list.filter(k => passing.every(passes => passes[k]));
          expectSame(filters.rows(), expected(all), 'in definition order');
          expectSame(filters.rows(order), expected(order), 'in another order');
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func afterAChangeOfTheRunAllFiltersTestAnew() throws {
    let said = try JavaScript.result(
      of: """
        const filters = new Filters(2), ask = isLate => {
          filters.outcome.ask('late', k => isLate[k]);
          return filters.rows().join('+');
        };
        const before = [ask([true, false]), ask([false, true])];
        filters.forget();
        filters.all.slice(2).forEach(filter => filter.ask('', () => false));
        filters.text.ask('', () => false);
        return [...before, ask([false, true])].join();
        """)

    #expect(said == "0,0,1")
  }

  @Test func aSearchFindsTheBeginningsOfAllWords() throws {
    let said = try JavaScript.result(
      of: """
        const names = ['loadLaunches', 'Étagère_öffnen', 'show/tour 2', 'reload'];
        const folded = new FoldedNames(names), filter = new Filter(names.length);
        return ['load', 'loadl', 'launch load', 'ETAG', 'tour2', 'aunches', '2 sho', '/', ' ']
          .map(text => {
            folded.search(filter, text);
            return `${text}: ${names.filter((_, k) => filter.passes[k]).join() || 'none'}`;
          }).join('\\n');
        """)

    #expect(
      said == """
        load: loadLaunches
        loadl: loadLaunches
        launch load: loadLaunches
        ETAG: Étagère_öffnen
        tour2: none
        aunches: none
        2 sho: show/tour 2
        /: show/tour 2
         : loadLaunches,Étagère_öffnen,show/tour 2,reload
        """)
  }

  @Test func aLongerQuestionTestsOnlyWhatPassedBefore() throws {
    let said = try JavaScript.result(
      of: """
        const names = ['load cores', 'load users', 'show'], tested = [];
        const folded = new FoldedNames(names), filter = new Filter(3);
        const ask = filter.ask.bind(filter);
        filter.ask = (question, test, narrows) =>
          ask(question, k => (tested.push(k), test(k)), narrows);
        const said = ['lo', 'load', 'load u', 'load  U', 'us', ''].map(text => {
          folded.search(filter, text);
          return `${tested.splice(0)}: ${[...filter.passes]}`;
        });
        return said.join('\\n');
        """)

    #expect(
      said == """
        0,1,2: 1,1,0
        0,1: 1,1,0
        0,1: 0,1,0
        : 0,1,0
        0,1,2: 0,1,0
        : 1,1,1
        """)
  }

  @Test func namesAreFoldedInIdleTimeOrOnceTheyAreNeeded() throws {
    let said = try JavaScript.result(
      of: """
        const names = Array.from({ length: 1200 }, (_, k) => `pebble${k}`), tasks = [], said = [];
        // Each period is long enough for one step: after it, no time remains.
        const idle = () => {
          let left = 2;
          tasks.shift()({ timeRemaining: () => left-- });
        };
        globalThis.requestIdleCallback = task => tasks.push(task);
        const folded = new FoldedNames(names), note = () =>
          said.push(`${folded.folded.length}+${tasks.length}`);
        note();
        while (tasks.length && said.length < 9) idle(), note();
        const late = new FoldedNames(names);
        idle();
        said.push(late.folded.length, late.all.length, new FoldedNames([]).all.length);
        idle();
        said.push(tasks.length, late.all[1199], late.all === late.folded);
        delete globalThis.requestIdleCallback;
        said.push(new FoldedNames(names).folded.length, new FoldedNames(names).all.join('')
          === late.all.join(''));
        return said.join();
        """)

    #expect(said == "0+1,500+1,1000+1,1200+0,500,1200,0,0, pebble1199 pebble1199,true,0,true")
  }
}
