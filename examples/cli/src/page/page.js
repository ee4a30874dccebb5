'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const app = document.getElementById('app');
  const bySeq = new Map(data.entries.map((entry) => [entry.seq, entry]));
  const actors = [...new Set(data.entries.map((entry) => entry.actor))].sort();
  const color = (actor) => 'a' + (Math.max(0, actors.indexOf(actor)) % 8);
  const first = Math.max(0, data.oldest - 1);

  // Elements are made of texts only: nothing is ever parsed as markup.
  function el(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === 'on') { for (const [event, run] of Object.entries(value)) node.addEventListener(event, run); }
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }

  // Shows what is hidden in a text.
  const hidden = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202F\u205F-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]|[\u{E0000}-\u{E0FFF}]/gu;
  function shown(text) {
    const parts = [];
    let end = 0;
    for (const match of text.matchAll(hidden)) {
      if (match[0] === '\r' && match.index === text.length - 1) continue;
      parts.push(text.slice(end, match.index));
      const code = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
      parts.push(el('span', { class: 'hid' }, 'U+' + code));
      end = match.index + match[0].length;
    }
    parts.push(text.slice(end));
    return parts;
  }
  const plain = (text) => text.replace(hidden, (c) => '<U+' + c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0') + '>');

  // Takes the changes of entries back, from the newest text to that after an entry.
  function linesAt(doc, seq) {
    if (seq < doc.since) return null;
    let lines = doc.text.split('\n');
    for (const entry of data.entries) {
      if (entry.seq <= seq) break;
      const ops = entry.changes[doc.name];
      if (ops) lines = back(lines, ops, (added) => added);
    }
    return lines;
  }
  function back(lines, ops, put, taken) {
    const older = [];
    let next = 0;
    for (const [at, removed, added] of ops) {
      for (; next < at; next++) older.push(lines[next]);
      for (; next < at + removed; next++) if (taken) taken(lines[next]);
      for (const line of put(added)) older.push(line);
    }
    for (; next < lines.length; next++) older.push(lines[next]);
    return older;
  }
  // Finds of each line after an entry which entry wrote it.
  function writersAt(doc, seq, count) {
    const writers = new Array(count).fill(null);
    let lines = writers.map((_, index) => index);
    for (const entry of data.entries) {
      if (entry.seq > seq) continue;
      const ops = entry.changes[doc.name];
      if (!ops) continue;
      lines = back(lines, ops, (added) => added.map(() => null), (line) => { if (line !== null) writers[line] = entry.seq; });
    }
    return writers;
  }
  // Collects what stood in the place of a line, entry by entry.
  function earlier(doc, seq, index) {
    const texts = [];
    let at = index;
    for (const entry of data.entries) {
      const ops = entry.seq <= seq ? entry.changes[doc.name] : null;
      if (!ops) continue;
      let shift = 0;
      const op = ops.find(([start, removed, added]) => {
        if (at < start + removed) return at >= start;
        shift += added.length - removed;
        return false;
      });
      if (op) {
        const own = at - op[0];
        if (own >= op[2].length) break;
        texts.push('before entry ' + entry.seq + ': ' + op[2][own]);
        if (texts.length === 10) break;
      }
      at += shift;
    }
    return texts;
  }

  // Compares lines: rows of [sign, old index, new index].
  function compare(old, now) {
    let start = 0, end = 0;
    while (start < old.length && start < now.length && old[start] === now[start]) start++;
    while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
    const rows = [];
    for (let i = 0; i < start; i++) rows.push([' ', i, i]);
    const n = old.length - start - end, m = now.length - start - end;
    if (n * m <= 4e6) {
      const width = m + 1, table = new Uint32Array((n + 1) * width);
      for (let i = n - 1; i >= 0; i--) for (let j = m - 1; j >= 0; j--) {
        table[i * width + j] = old[start + i] === now[start + j] ? table[(i + 1) * width + j + 1] + 1
          : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
      }
      let i = 0, j = 0;
      while (i < n || j < m) {
        if (i < n && j < m && old[start + i] === now[start + j]) rows.push([' ', start + i++, start + j++]);
        else if (i < n && (j === m || table[(i + 1) * width + j] >= table[i * width + j + 1])) rows.push(['-', start + i++, null]);
        else rows.push(['+', null, start + j++]);
      }
    } else {
      for (let i = 0; i < n; i++) rows.push(['-', start + i, null]);
      for (let j = 0; j < m; j++) rows.push(['+', null, start + j]);
    }
    for (let i = 0; i < end; i++) rows.push([' ', old.length - end + i, now.length - end + i]);
    return rows;
  }
  // Marks what differs in the middle of two lines.
  function middle(line, other) {
    if (other === null || line.length > 5000 || other.length > 5000) return shown(line);
    let start = 0, end = 0;
    while (start < line.length && start < other.length && line[start] === other[start]) start++;
    while (end < line.length - start && end < other.length - start && line[line.length - 1 - end] === other[other.length - 1 - end]) end++;
    if (start + end < 3) return shown(line);
    const cut = line.length - end;
    return [...shown(line.slice(0, start)), el('mark', {}, shown(line.slice(start, cut))), ...shown(line.slice(cut))];
  }

  const state = { doc: null, at: data.head, from: null, entry: null, actor: '', tool: '', only: '' };
  function readState() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const number = (name) => { const value = Number.parseInt(wanted.get(name), 10); return Number.isFinite(value) ? Math.min(Math.max(value, first), data.head) : null; };
    const named = data.documents.find((doc) => doc.name === wanted.get('doc'));
    state.from = number('from');
    state.at = number('to') ?? number('at') ?? data.head;
    state.entry = number('entry');
    const entry = bySeq.get(state.entry) || bySeq.get(state.at);
    const changed = state.from !== null && entry ? data.documents.find((doc) => entry.documents.includes(doc.name)) : null;
    state.doc = named || (state.doc && wanted.size > 0 ? state.doc : null) || changed || data.documents.find((doc) => doc.name === 'memory') || data.documents[0] || null;
  }
  function go(change) {
    const next = { ...state, ...change };
    const hash = new URLSearchParams();
    if (next.doc) hash.set('doc', next.doc.name);
    if (next.from !== null) { hash.set('from', next.from); hash.set('to', next.at); }
    else if (next.at !== data.head) hash.set('at', next.at);
    if (next.entry !== null) hash.set('entry', next.entry);
    Object.assign(state, { actor: next.actor, tool: next.tool, only: next.only });
    location.hash = hash.toString();
  }

  function head() {
    return el('header', { class: 'top' },
      el('h1', {}, 'memdoc'),
      el('span', { class: data.sound ? 'badge' : 'badge bad' }, data.sound ? 'history sound' : 'history unsound'),
      el('p', {}, data.head + ' entries, ' + data.documents.filter((doc) => !doc.deleted).length + ' documents, ' + data.made),
      data.waiting ? el('p', { class: 'warn' }, data.waiting + ' writes wait for approval') : null,
      data.checkpoint ? el('div', { class: 'checkpoint' }, 'checkpoint ', el('code', {}, data.checkpoint)) : null);
  }
  function documents() {
    return el('nav', { class: 'card docs', 'aria-label': 'Documents' }, el('h3', {}, 'Documents'), data.documents.map((doc) => {
      const size = doc.bytes < 1024 ? doc.bytes + ' B' : (doc.bytes / 1024).toFixed(1) + ' KiB';
      const facts = doc.deleted ? 'deleted' : size + ' · ' + doc.bullets + ' bullets · ' + doc.tokens + ' tokens';
      const meter = el('div', { class: 'meter' }, el('i', {}));
      meter.firstChild.style.width = Math.min(100, 100 * doc.bytes / (doc.limit || 1)) + '%';
      return el('button', { 'aria-current': doc === state.doc ? 'true' : null, on: { click: () => go({ doc, entry: null }) } },
        el('bdi', {}, plain(doc.name)), el('small', {}, facts),
        doc.warnings ? el('small', { class: 'warn' }, doc.warnings + (doc.warnings === 1 ? ' warning' : ' warnings')) : null,
        doc.deleted ? null : meter);
    }));
  }
  function totals() {
    const counts = new Map();
    for (const entry of data.entries) counts.set(entry.actor, (counts.get(entry.actor) || 0) + 1);
    const rows = [...counts].sort((a, b) => b[1] - a[1]).map(([actor, count]) =>
      el('tr', {}, el('td', {}, el('span', { class: 'dot ' + color(actor) }), el('bdi', {}, plain(actor))), el('td', {}, String(count))));
    return el('section', { class: 'card' }, el('h3', {}, 'Who'), el('table', { class: 'totals' }, rows));
  }
  function moment(label, value, change) {
    const options = [];
    for (let seq = data.head; seq >= first; seq--) {
      const entry = bySeq.get(seq);
      const text = seq === data.head ? 'now' : 'after ' + seq + (entry ? ', ' + entry.time : '');
      options.push(el('option', { value: seq, selected: seq === value }, text));
    }
    return el('label', {}, label, el('select', { 'aria-label': label, on: { change: (event) => change(Number(event.target.value)) } }, options));
  }
  function bar() {
    const isDiff = state.from !== null;
    const slider = el('input', { type: 'range', min: first, max: data.head, value: state.at, 'aria-label': 'moment', on: { change: (event) => go({ at: Number(event.target.value), entry: null }) } });
    return el('div', { class: 'bar' },
      isDiff ? moment('from', state.from, (from) => go({ from, entry: null })) : null,
      moment(isDiff ? 'to' : 'as of', state.at, (at) => go({ at, entry: null })),
      slider,
      el('button', { on: { click: () => go({ from: isDiff ? null : Math.max(first, state.at - 1), entry: null }) } }, isDiff ? 'show the text' : 'compare'),
      state.at === data.head && !isDiff ? null : el('button', { on: { click: () => go({ at: data.head, from: null, entry: null }) } }, 'now'));
  }
  function row(kind, sign, number, who, body, tags) {
    return el('tr', { class: kind },
      el('td', { class: 'num' }, number === null ? '' : String(number)),
      sign === null ? el('td', { class: 'who' }, who) : el('td', { class: 'sign' }, sign),
      el('td', { class: 'body' }, body, (tags || []).map((tag) => el('span', { class: 'tag' }, tag))));
  }
  function whole(doc) {
    const lines = linesAt(doc, state.at);
    if (lines === null) return el('p', { class: 'muted' }, 'The text of then is not in this page.');
    const isNow = state.at === data.head;
    const writers = isNow ? doc.writers : writersAt(doc, state.at, lines.length);
    if (lines.length && lines[lines.length - 1] === '') lines.pop();
    if (!lines.length) return el('p', { class: 'muted' }, doc.deleted && isNow ? 'It was deleted.' : 'There is no text.');
    return el('table', { class: 'text-table' }, el('tbody', {}, lines.map((line, index) => {
      const entry = bySeq.get(writers[index]);
      const title = entry ? 'entry ' + entry.seq + ', ' + plain(entry.actor) + ', ' + plain(entry.tool) + ', ' + entry.time + (entry.reason ? ', ' + plain(entry.reason) : '') : '';
      const who = entry && line.trim() ? el('button', { class: color(entry.actor), title, on: { click: () => detail(entry, doc, index) } }, entry.seq + ' ' + plain(entry.actor)) : null;
      const kind = /^#{1,6}\s/.test(line) ? 'head' : null;
      return row(kind, null, index + 1, who, shown(line), isNow ? doc.marks[index + 1] : []);
    })));
  }
  function difference(doc) {
    const old = linesAt(doc, state.from), now = linesAt(doc, state.at);
    if (old === null || now === null) return el('p', { class: 'muted' }, 'The text of then is not in this page.');
    // Both end with a line end: it is no line.
    if (old[old.length - 1] === '' && now[now.length - 1] === '') { old.pop(); now.pop(); }
    const rows = compare(old, now);
    if (!rows.some((row) => row[0] !== ' ')) return el('p', { class: 'muted' }, 'Nothing differs.');
    const near = (index) => { for (let i = Math.max(0, index - 3); i <= Math.min(rows.length - 1, index + 3); i++) if (rows[i][0] !== ' ') return true; return false; };
    const out = [];
    let skipped = 0;
    const gap = () => { if (skipped) out.push(el('tr', { class: 'gap' }, el('td', { colspan: 3 }, skipped + ' equal lines'))); skipped = 0; };
    for (let index = 0; index < rows.length; index++) {
      const [sign, a, b] = rows[index];
      if (sign === ' ') {
        if (!near(index)) { skipped++; continue; }
        gap();
        out.push(row(null, ' ', b + 1, null, shown(now[b])));
        continue;
      }
      gap();
      // Lines that went and came in one place are compared in their order.
      let last = index;
      while (last + 1 < rows.length && rows[last + 1][0] !== ' ') last++;
      const went = rows.slice(index, last + 1).filter((r) => r[0] === '-'), came = rows.slice(index, last + 1).filter((r) => r[0] === '+');
      went.forEach((r, i) => out.push(row('del', '-', r[1] + 1, null, middle(old[r[1]], came[i] ? now[came[i][2]] : null))));
      came.forEach((r, i) => out.push(row('add', '+', r[2] + 1, null, middle(now[r[2]], went[i] ? old[went[i][1]] : null))));
      index = last;
    }
    gap();
    return el('table', { class: 'text-table' }, el('tbody', {}, out));
  }
  function detail(entry, doc, index) {
    const fact = (name, value) => value === null || value === undefined || value === '' ? [] : [el('dt', {}, name), el('dd', {}, shown(String(value)))];
    const texts = doc ? earlier(doc, state.at, index) : [];
    const card = el('section', { class: 'card detail', id: 'detail', tabindex: -1 }, el('h3', {}, 'Entry ' + entry.seq),
      el('dl', {}, fact('who', entry.actor), fact('tool', entry.tool), fact('when', entry.time), fact('why', entry.reason), fact('source', entry.source),
        fact('documents', entry.documents.join(', ')), fact('sections', entry.sections.join(', ')), fact('undoes', entry.undoes), fact('undone by', entry.undone_by)),
      entry.text ? el('div', { class: 'earlier' }, shown(entry.text)) : null,
      texts.length ? el('div', { class: 'earlier' }, texts.flatMap((text, i) => i ? ['\n', ...shown(text)] : shown(text))) : null,
      entry.documents.length ? el('p', {}, el('button', { on: { click: () => open(entry) } }, 'what it changed')) : null);
    const there = document.getElementById('detail');
    if (there) there.replaceWith(card); else document.getElementById('side').prepend(card);
  }
  function open(entry) {
    const doc = state.doc && entry.documents.includes(state.doc.name) ? state.doc : data.documents.find((doc) => entry.documents.includes(doc.name));
    go({ doc: doc || state.doc, from: doc ? Math.max(first, entry.seq - 1) : null, at: doc ? entry.seq : state.at, entry: entry.seq });
  }
  function timeline() {
    const choice = (name, label, values) => el('select', { 'aria-label': label, on: { change: (event) => { state[name] = event.target.value; render(); } } },
      el('option', { value: '' }, label), values.map((value) => el('option', { value, selected: value === state[name] }, plain(value))));
    const fits = (entry) => (!state.actor || entry.actor === state.actor) && (!state.tool || entry.tool === state.tool) && (!state.only || entry.documents.includes(state.only));
    const list = data.entries.filter(fits).map((entry) => el('li', {}, el('button', {
      class: color(entry.actor), 'data-seq': entry.seq, 'aria-current': entry.seq === state.entry ? 'true' : null, on: { click: () => open(entry) } },
      el('span', {}, entry.seq + '  ' + plain(entry.tool)), el('small', { class: 'muted' }, entry.time + ' · ' + plain(entry.actor) + (entry.documents.length ? ' · ' + entry.documents.join(', ') : '')),
      entry.undone_by ? el('small', { class: 'warn' }, 'undone by ' + entry.undone_by) : null)));
    const left = data.oldest > 1 ? el('p', { class: 'muted' }, 'Entries before ' + data.oldest + ' are left out.') : null;
    return el('section', { class: 'card' }, el('h3', {}, 'History'), el('div', { class: 'filters' },
      choice('actor', 'all actors', actors), choice('tool', 'all tools', [...new Set(data.entries.map((entry) => entry.tool))].sort()),
      choice('only', 'all documents', data.documents.map((doc) => doc.name))), el('ol', { class: 'entries' }, list), left);
  }
  function render() {
    const doc = state.doc;
    const body = doc ? (state.from !== null ? difference(doc) : whole(doc)) : el('p', { class: 'muted' }, 'There is no document yet.');
    const title = doc ? el('h2', {}, el('bdi', {}, plain(doc.name)), state.from !== null ? ': from ' + state.from + ' to ' + state.at : '') : null;
    app.replaceChildren(head(), el('div', { class: 'columns' },
      el('div', {}, documents(), totals()),
      el('main', { class: 'card' }, el('div', { class: 'bar' }, title), bar(), body),
      el('aside', { id: 'side' }, timeline())));
    const entry = bySeq.get(state.entry);
    if (entry) detail(entry, null, 0);
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const step = { j: 1, k: -1 }[event.key];
    if (!step) return;
    const buttons = [...document.querySelectorAll('.entries button')];
    const next = buttons[Math.max(0, buttons.findIndex((button) => button.getAttribute('aria-current') === 'true') + step)];
    if (next) { next.click(); }
  });
  window.addEventListener('hashchange', () => { readState(); render(); });
  readState();
  render();
})();
