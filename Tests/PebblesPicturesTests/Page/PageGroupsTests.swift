import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the groups of pebbles: of clusters, and of names that begin with the same part.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageGroupsTests {
  /// A script that writes the groups of names as an outline: each group with the titles around it.
  private static let grouping = """
    const pathOf = (groups, group) => group < 0 ? []
      : [...pathOf(groups, groups.parents[group]), groups.titles[group]];
    const groupsOf = (names, clusters) => {
      const groups = new Groups({ pond: { clusters }, names });
      groups.parents.forEach((parent, group) => {
        const level = parent < 0 ? 1 : groups.levels[parent] + 1;
        if (parent >= group || groups.levels[group] !== level) throw new Error('levels');
      });
      return Array.from(groups.of, group => pathOf(groups, group).join(' > ') || '-');
    };
    """

  @Test func namesAreSplitAtSigns() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.grouping)
        return [
          ['a/x', 'a/y', 'b/x', 'b/y', 'c'], ['a/x', 'a/y'], ['a/x', 'b/x', 'c/x'],
          ['net/http.get', 'net/http.put', 'net/dns', 'disk:open', 'disk:close'],
          ['a//b/x', 'a//b/y', 'a//c', 'z'], ['/a/x', '/a/y', '/b/x', '/b/y'],
          ['a/', 'a/', 'b'], ['::a:x', '::a:y', '::b'], ['...', '...', 'b'],
          ['a/b/x', 'a/b/y', 'c'], ['a/b/c/x', 'a/b/c/y', 'a/b/d', 'e'], ['a/b/x', 'a/b/y', 'a/c'],
          ['1/2/3/4/5/6/7/8/9/x', '1/2/3/4/5/6/7/8/9/y', '1/2/3/4/5/6/7/8/z', 'other'],
          ['1/2/3/4/5/6/7/8/x', '1/2/3/4/5/6/7/8/y', '1/2/3/4/5/6/7/z', 'other'],
        ].map(names => groupsOf(names).join(', ')).join('\\n');
        """)

    #expect(
      said == """
        a, a, b, b, -
        -, -
        -, -, -
        net > http, net > http, net, disk, disk
        a > b, a > b, a, -
        a, a, b, b
        -, -, -
        a, a, -
        -, -, -
        a, a, -
        a > b/c, a > b/c, a, -
        a/b, a/b, -
        1, 1, 1, -
        1 > 2/3/4/5/6/7/8, 1 > 2/3/4/5/6/7/8, 1, -
        """)
  }

  @Test func namesWithoutSignsAreSplitAfterTheirFirstWords() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.grouping)
        return [
          ['loadCores', 'loadUsers', 'show'], ['step1', 'step2', 'other'], ['load', 'loads', 'z'],
          ['LoadCores', 'LoadUsers', 'show'], ['load cores', 'load-users', 'show'],
          ['aB', 'aC', 'show'], ['éclairA', 'éclairB', 'show'], ['ÉclairA', 'ÉclairB', 'show'],
          ['a/loadX', 'a/loadY', 'b'], ['x/loadA', 'x/loadB', 'x/showA', 'y'],
          ['URLLoad', 'URLSave', 'x'], ['load', 'load', 'x'],
          ['日本語A', '日本語B', 'x'], ['{a}', '{b}', 'x'],
        ].map(names => groupsOf(names).join(', ')).join('\\n');
        """)

    #expect(
      said == """
        load, load, -
        step, step, -
        -, -, -
        Load, Load, -
        load, load, -
        -, -, -
        éclair, éclair, -
        Éclair, Éclair, -
        a, a, -
        x, x, x, -
        -, -, -
        -, -, -
        -, -, -
        -, -, -
        """)
  }

  @Test func aWordEndsBeforeACapitalLetterANumberOrASign() throws {
    let said = try JavaScript.result(
      of: """
        const end = (name, start = 0) => {
          const found = [];
          endOfWord(name, start, found);
          return found.join() || '-';
        };
        return [
          ['goX', 'azA', 'AzZ', 'ZazB', 'za1', 'za{b', 'za[b', 'za@b', 'za`b', 'za b', 'ab\u{80}c'],
          ['aB', 'AZb', 'word', 'Word', '1ab', '{ab', '[ab', '@ab', '`ab', '', 'z', 'é', 'éa'],
          ['élanÉ', 'Éa1', 'éaé b', `é${'a'.repeat(39)}B`, `é${'a'.repeat(38)}B`],
        ].map(names => names.map(name => end(name)).join()).concat(end('a/goX', 2)).join(' ');
        """)

    #expect(said == "2,2,2,3,2,2,2,2,2,2,2 -,-,-,-,-,-,-,-,-,-,-,-,- 4,2,3,-,39 4")
  }

  @Test func onlyLargeGroupsAreSplitByWords() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.grouping)
        const shared = Array.from({ length: 31 }, (_, k) => `app/x/${k < 9 ? 'load' : 'show'}${k}`);
        return [30, 31].map(count => {
          const inside = Array.from(
            { length: count }, (_, k) => `a/${k < 9 ? 'load' : 'show'}${k}`);
          return groupsOf([...inside, 'b/loadX', 'b/loadY', 'c']);
        }).concat([groupsOf(shared), groupsOf([...shared, 'c'])]).map(groups => {
          const counts = new Map();
          for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
          return [...counts].map(one => one.join(' ')).join(', ');
        }).join('\\n');
        """)

    #expect(
      said == """
        a 30, b 2, - 1
        a > load 9, a > show 22, b 2, - 1
        load 9, show 22
        app > load 9, app > show 22, - 1
        """)
  }

  @Test func clustersAreGroupsAndTheirNamesAreNoPartsOfNames() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.grouping)
        const cluster = (name, first, count, parent) => ({ name, first, count, parent });
        return [
          groupsOf(['show', 'app/disk/open', 'app/disk/warm', 'app/go'],
            [cluster('app', 1, 3), cluster('disk', 1, 2, 0)]),
          groupsOf(['a/x/1', 'a/x/2', 'a/y', 'b'], [cluster('a', 0, 3)]),
          groupsOf(['other', 'a/x'], [cluster('a', 0, 2)]),
          groupsOf(['a', 'b'], [cluster(' ', 0, 2), cluster('inside', 0, 1, 0)]),
          groupsOf(['a/b/c'], [cluster('none', 0, 0), cluster('inside', 0, 0, 0),
            cluster('a', 0, 1), cluster('b', 0, 1, 2)]),
          groupsOf(['n/loadA', 'n/loadB', 'n/x', 'm/loadA', 'm/loadB', 'm/x'],
            [cluster('n', 0, 3), cluster('m', 3, 3)]),
        ].map(groups => groups.join(', ')).join('\\n');
        """)

    #expect(
      said == """
        -, app > disk, app > disk, app
        a > x, a > x, a, -
        a, a
        without a name > inside, without a name
        a > b
        n, n, n, m, m, m
        """)
  }

  @Test func pebblesShareAGroupIfTheirNamesBeginWithTheSameParts() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.random)
        \(Self.grouping)
        for (let round = 0; round < \(Thoroughness.times(100)); round++) {
          const names = listOf(1 + below(14), () =>
            listOf(1 + below(3), () => oneOf(['a', 'b', 'c'])).join('/'));
          const parts = name => name.split('/').slice(0, -1);
          const sharing = beginning => names.filter(name =>
            parts(name).slice(0, beginning.length).join() === beginning.join());
          const expected = names.map(name => {
            let around = names.length;
            const beginnings = parts(name).map((_, k) => parts(name).slice(0, k + 1));
            const made = beginnings.filter(beginning => {
              const { length } = sharing(beginning), isGroup = length > 1 && length < around;
              if (isGroup) around = length;
              return isGroup;
            });
            return made.map((beginning, k) =>
              beginning.slice(k ? made[k - 1].length : 0).join('/')).join(' > ') || '-';
          });
          expectSame(groupsOf(names), expected, `groups of ${names}`);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }
}
