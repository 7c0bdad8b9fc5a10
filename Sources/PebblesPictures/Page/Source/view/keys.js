// Keys. A command is there only while it makes sense, and the list of keys says no more.

/// Each has keys, what it does in words and indeed, when it is there, and which of its keys act in
/// the search field too, where the others are text.
function commandsOf({ inspector, timeline, graph, controls, detail, showKeys }) {
  const { run } = inspector, isTimeline = () => inspector.view === 'timeline';
  const hasPick = () => inspector.picked >= 0;
  const cause = () => run.causes[inspector.picked] ?? -1;
  const zoom = factor => (isTimeline() ? timeline : graph).zoom(factor);
  return [
    { keys: ['ArrowDown', 'j'], text: 'next pebble', inSearch: ['ArrowDown'],
      act: () => inspector.move(1) },
    { keys: ['ArrowUp', 'k'], text: 'previous pebble', inSearch: ['ArrowUp'],
      act: () => inspector.move(-1) },
    { keys: ['PageDown'], text: 'a page on', inSearch: ['PageDown'], when: isTimeline,
      act: () => inspector.move(timeline.pageLength) },
    { keys: ['PageUp'], text: 'a page back', inSearch: ['PageUp'], when: isTimeline,
      act: () => inspector.move(-timeline.pageLength) },
    { keys: ['Home'], text: 'first pebble', act: () => inspector.pick(inspector.rows[0]) },
    { keys: ['End'], text: 'last pebble', act: () => inspector.pick(inspector.rows.at(-1)) },
    { keys: ['ArrowLeft'], text: 'to what decided it', when: () => cause() >= 0,
      act: () => inspector.pick(cause()) },
    { keys: ['ArrowRight'], text: 'to the first that it decided',
      when: () => hasPick() && run.causes.includes(inspector.picked),
      act: () => inspector.pick(run.causes.indexOf(inspector.picked)) },
    { keys: ['n'], text: 'next failure', when: () => run.counts[failed] > 0,
      act: () => pickNextFailure(inspector) },
    { keys: ['f'], text: 'what if it ended otherwise', when: hasPick,
      act: () => inspector.suppose(inspector.picked) },
    { keys: ['/'], text: 'search', act: () => controls.text.select() },
    { keys: ['Escape'], text: 'clear the search, then show all time', inSearch: ['Escape'],
      act: () => {
        if (!controls.clear()) inspector.showTime(0, inspector.whole);
        (isTimeline() ? timeline : graph).box.focus();
      } },
    { keys: ['z'], text: 'fit to what is in sight', act: () =>
      isTimeline() ? timeline.fitTime() : graph.fit() },
    { keys: ['+', '='], text: 'zoom in', act: () => zoom(1 / 2) },
    { keys: ['-'], text: 'zoom out', act: () => zoom(2) },
    { keys: ['g'], text: 'timeline or graph',
      act: () => inspector.show(isTimeline() ? 'graph' : 'timeline') },
    { keys: ['c'], text: 'copy what is said, as text', act: () => copy(detail.text) },
    { keys: ['?'], text: 'these keys', act: () => showKeys() },
  ];
}

function listenToKeys(parts) {
  const dialog = byID('keys');
  const isThere = command => command.when?.() ?? true;
  const showKeys = () => {
    byID('keyList').replaceChildren(...commands.filter(isThere).flatMap(({ keys, text }) =>
      [element('dt', {}, ...keys.map(key => element('kbd', {}, keyNames[key] ?? key))),
        element('dd', {}, text)]));
    dialog.showModal();
  };
  const commands = commandsOf({ ...parts, showKeys });
  byID('help').addEventListener('click', showKeys);
  addEventListener('keydown', event => {
    // With a modifier a key is the browser's; in a list it chooses.
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.isComposing || event.target.matches?.('select')) return;
    const isSearch = event.target === parts.controls.text;
    const command = commands.find(({ keys, inSearch = [] }) =>
      (isSearch ? inSearch : keys).includes(event.key));
    if (!command || !isThere(command)) return;
    event.preventDefault();
    command.act();
  });
}

const keyNames = {
  ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', PageDown: 'PgDn', PageUp: 'PgUp',
  Escape: 'Esc', '-': '−',
};

function pickNextFailure(inspector) {
  const { rows, run, places, picked } = inspector, place = picked < 0 ? -1 : places[picked];
  for (let step = 1; step <= rows.length; step++) {
    const pebble = rows[(place + step) % rows.length];
    if (run.outcomes[pebble] === failed) return inspector.pick(pebble);
  }
  say('No pebble that is listed failed.', true);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say('Copied.', true);
  } catch {
    say('The browser does not let the page copy.', true);
  }
}
