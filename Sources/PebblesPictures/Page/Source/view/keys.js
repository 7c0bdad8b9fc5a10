// The keys. A command is available only while it makes sense, and the list of keys shows only
// available commands.

/// Returns the commands. Each has its keys, a text for the list of keys, an action, and perhaps a
/// condition for its availability. In the search field, only the keys in `inSearch` work; all other
/// keys enter text.
function commandsOf({ inspector, timeline, graph, controls, detail, tip, showKeys }) {
  const { run } = inspector, isTimeline = () => inspector.view === 'timeline';
  const hasPick = () => inspector.picked >= 0;
  const cause = () => run.causes[inspector.picked] ?? -1;
  const { outline } = inspector, group = () => inspector.pickedGroup;
  const isGroup = () => isTimeline() && group() >= 0;
  const isFolded = isOpen => isGroup() && outline.isOpen(group()) === isOpen;
  const outer = () => !outline.hasGroups || !isTimeline() ? -1 : hasPick() ? outline.groups.of[inspector.picked]
    : outline.groups.parents[group()] ?? -1;
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
    { keys: ['Home'], text: 'first pebble', act: () => inspector.pickRow(inspector.stops[0]) },
    { keys: ['End'], text: 'last pebble', act: () => inspector.pickRow(inspector.stops.at(-1)) },
    { keys: ['Enter'], text: 'open or close the group', when: isGroup,
      act: () => inspector.fold(group()) },
    { keys: ['ArrowRight'], text: 'open the group', when: () => isFolded(false),
      act: () => inspector.fold(group(), true) },
    { keys: ['ArrowLeft'], text: 'close the group', when: () => isFolded(true),
      act: () => inspector.fold(group(), false) },
    { keys: ['ArrowLeft'], text: 'to the group around it', when: () => cause() < 0 && outer() >= 0,
      act: () => inspector.pickRow(run.count + outer()) },
    { keys: ['ArrowLeft'], text: 'to what decided it', when: () => cause() >= 0,
      act: () => inspector.pick(cause()) },
    { keys: ['ArrowRight'], text: 'to the first that it decided',
      when: () => hasPick() && run.causes.includes(inspector.picked),
      act: () => inspector.pick(run.causes.indexOf(inspector.picked)) },
    { keys: ['n'], text: 'next failure', when: () => run.counts[failed] > 0,
      act: () => pickNextFailure(inspector) },
    { keys: ['f'], text: 'what if it ended otherwise', when: () => hasPick() && !run.isLive,
      act: () => inspector.suppose(inspector.picked) },
    { keys: ['/'], text: 'search', act: () => controls.text.select() },
    { keys: ['Escape'], text: 'clear the search, then show all time', inSearch: ['Escape'],
      act: () => {
        if (tip.hide()) return;
        controls.clear();
        (isTimeline() ? timeline : graph).box.focus();
      } },
    { keys: ['z'], text: 'fit to what is in sight', act: () =>
      isTimeline() ? timeline.fitTime() : graph.fit() },
    { keys: ['+', '='], text: 'zoom in', act: () => zoom(1 / 2) },
    { keys: ['-'], text: 'zoom out', act: () => zoom(2) },
    { keys: ['o'], text: 'in groups or not', when: isTimeline,
      act: () => controls.arrange('isGrouped') },
    { keys: ['l'], text: 'in lanes or not', when: isTimeline,
      act: () => controls.arrange('isPacked') },
    { keys: ['g'], text: 'timeline or graph',
      act: () => inspector.show(isTimeline() ? 'graph' : 'timeline') },
    ...siteLinks().map((link, place) => (
      { keys: [`${place + 1}`], text: link.textContent, act: () => link.click() })),
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
    // Keys with a modifier belong to the browser, and keys in a menu choose an entry.
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.isComposing || event.target.matches?.('select')) return;
    const isSearch = event.target === parts.controls.text;
    const command = commands.find(one =>
      (isSearch ? one.inSearch ?? [] : one.keys).includes(event.key) && isThere(one));
    // Enter presses the button or link that has the focus.
    if (!command || event.key === 'Enter' && event.target.closest('a, button, summary')) return;
    event.preventDefault();
    command.act();
  });
}

/// Returns the links that have keys: the first nine links to other pages of the site.
function siteLinks() { return [...document.querySelectorAll('#site a[href]')].slice(0, 9); }

const keyNames = {
  ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', PageDown: 'PgDn', PageUp: 'PgUp',
  Escape: 'Esc', '-': '−',
};

function pickNextFailure(inspector) {
  const { listed, run, picked } = inspector, place = picked < 0 ? -1 : listed.indexOf(picked);
  for (let step = 1; step <= listed.length; step++) {
    const pebble = listed[(place + step) % listed.length];
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
