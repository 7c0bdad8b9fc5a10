// The legend of the colours, shapes and lines that occur in the view.

function showLegend(inspector) {
  const { run, view, earlier, outline, rows } = inspector;
  const has = end => run.counts[end] > 0, sign = (style, text) => [style, text];
  const isAny = test => run.document.pebbles.some((record, pebble) => test(pebble, record));
  // Pebbles are visible if they have their own rows or are in lanes. A group shows only their
  // numbers.
  const hasRows = !outline.isPacked && rows.some(row => row < run.count);
  const hasPebbles = hasRows || outline.isPacked && rows.some(row => outline.laneAt(row));
  const list = byID('legendList'), key = [view, hasRows, hasPebbles, earlier !== null].join();
  // While the user zooms, the rows change with each frame. The tests of all pebbles below are not
  // repeated for that.
  if (list.dataset.key === key && !run.isLive) return;
  list.dataset.key = key;
  const timeline = () => [
    has(succeeded) && sign('succeeded bar', 'succeeded'),
    has(failed) && sign('failed bar', 'failed'),
    has(isRunning) && sign('running bar', 'running'),
    hasPebbles && has(wasBlocked) && sign('blocked dot', 'blocked'),
    hasPebbles && run.counts.some((count, end) => count && end > wasBlocked && end < isRunning)
      && sign('skipped dot', 'not needed, or not to run'),
    isAny(pebble => run.waited(pebble) > 0) && sign('wait', 'ready, waiting to start'),
    hasRows && isAny((_, { attempts }) => attempts?.length > 1)
      && sign('succeeded bar tries', 'failed attempt, pause'),
    hasPebbles && isAny(pebble => run.upUntil(pebble) > 0) && sign('tail', 'service that is up'),
    hasRows && run.last >= 0 && sign('critical bar', 'longest chain'),
    hasRows && earlier && sign('earlier', 'the earlier run'),
  ];
  const graph = () => [
    sign('line', 'reads that it succeeded'), sign('line dotted', 'that it failed'),
    sign('line dashed', 'either, or another end'), sign('line decisive', 'decided it'),
    sign('line false', 'did not hold, or was open'),
  ];
  const entries = (view === 'graph' ? graph() : timeline()).filter(Boolean);
  list.replaceChildren(...entries.map(([style, text]) =>
    element('li', {}, legendSign(style), text)));
}

function legendSign(style) {
  if (style.startsWith('line')) {
    return drawing('svg', { width: 28, height: 10, 'aria-hidden': 'true' },
      drawing('path', { class: style, d: 'M1 5h24m-5-4l5 4l-5 4' }));
  }
  const [first, second] = style.split(' '), kind = second ?? first;
  const shape = element('span', { class: kind });
  if (style.endsWith('tries')) {
    shape.append(...['tried', 'pause'].map(part => element('i', { class: part })));
  }
  return element('span', { class: `swatch ${second ? first : ''}`, 'aria-hidden': 'true' }, shape);
}
