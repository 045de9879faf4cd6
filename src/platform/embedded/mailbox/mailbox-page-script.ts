/**
 * The script of the mailbox's page: refreshes the list, opens messages, searches and deletes. Plain JavaScript for the
 * browser. Content of messages is inserted as text only; their HTML is shown in a sandboxed frame.
 */
export const PAGE_SCRIPT = String.raw`'use strict';
const $ = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
const SEEN = 'waypost-mailbox-seen';
const readSeen = () => {
  try { return new Set(JSON.parse(localStorage.getItem(SEEN) || '[]')); } catch { return new Set(); }
};
const seen = readSeen();
const rows = new Map();
let messages = [];
let total = 0;
let openId = null;
let tab = 'html';
let loaded = false;
let loading = null;

const call = async (path, options) => {
  const response = await fetch(path, options);
  if (!response.ok) throw Object.assign(new Error('HTTP ' + response.status), { status: response.status });
  return response;
};
const displayName = (address) => address.split(' <')[0] || address || '(nobody)';
const hueOf = (text) => {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)) % 360;
  return sum;
};
const paintFace = (face, address) => {
  const name = displayName(address);
  face.textContent = (/[\p{L}\p{N}]/u.exec(name) || ['?'])[0].toUpperCase();
  face.style.setProperty('--hue', hueOf(address));
};
const paintBadge = (badge, environment) => {
  badge.className = 'badge ' + (environment || '');
  badge.textContent = environment === 'live' ? 'Live' : environment === 'test' ? 'Test' : '';
};
const ago = (iso) => {
  const then = new Date(iso);
  const seconds = (Date.now() - then) / 1000;
  if (seconds < 45) return 'now';
  if (seconds < 3600) return Math.max(1, Math.round(seconds / 60)) + ' min';
  if (seconds < 86400) return Math.round(seconds / 3600) + ' h';
  if (seconds < 6 * 86400) return then.toLocaleDateString(undefined, { weekday: 'short' });
  return then.toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
};
const longTime = (iso) =>
  new Date(iso).toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }) +
  '\n' + new Date(iso).toLocaleTimeString();

const rowFor = (message) => {
  const row = make('li', 'row');
  row.id = 'row-' + message.id;
  row.setAttribute('role', 'option');
  const face = make('span', 'face');
  paintFace(face, message.to);
  const time = make('time');
  time.dateTime = message.received_at;
  time.title = new Date(message.received_at).toLocaleString();
  const badge = make('span');
  paintBadge(badge, message.environment);
  row.append(face, make('span', 'who', displayName(message.to)), time);
  row.append(make('span', 'what', message.subject || '(no subject)'), badge);
  row.addEventListener('click', () => { location.hash = message.id; });
  return row;
};

const paintList = () => {
  const list = $('list');
  const wanted = new Set(messages.map((message) => message.id));
  for (const [id, row] of rows) if (!wanted.has(id)) { row.remove(); rows.delete(id); }
  for (const note of list.querySelectorAll('.none')) note.remove();
  let before = list.firstChild;
  for (const message of messages) {
    let row = rows.get(message.id);
    if (!row) {
      row = rowFor(message);
      if (loaded && Date.now() - new Date(message.received_at) < 10000) row.classList.add('arriving');
      rows.set(message.id, row);
    }
    if (row === before) before = before.nextSibling;
    else list.insertBefore(row, before);
    row.classList.toggle('new', !seen.has(message.id));
    row.setAttribute('aria-selected', String(message.id === openId));
    row.querySelector('time').textContent = ago(message.received_at);
  }
  const searching = $('search').value.trim() !== '';
  if (messages.length === 0 && searching) list.append(make('li', 'none', 'No messages match your search.'));
  const unread = messages.filter((message) => !seen.has(message.id)).length;
  const shown = messages.length.toLocaleString();
  $('count').textContent = searching
    ? shown + (messages.length === 1 ? ' match' : ' matches') + ' of ' + total.toLocaleString()
    : (total > messages.length ? 'Newest ' + shown + ' of ' + total.toLocaleString() : shown + (total === 1 ? ' message' : ' messages')) +
      (unread ? ' · ' + unread.toLocaleString() + ' unread' : '');
  document.title = (unread ? '(' + unread + ') ' : '') + 'Waypost mailbox';
  const bare = total === 0 && openId === null;
  $('reader').classList.toggle('bare', bare);
  $('nothing').hidden = !bare;
  $('pick').hidden = bare || openId !== null;
  $('empty').disabled = total === 0;
};

const refresh = async () => {
  const query = new URLSearchParams({ search: $('search').value.trim() });
  const mine = (loading = {});
  try {
    const response = await call('/api/messages?' + query);
    const answer = await response.json();
    if (loading !== mine) return;
    messages = answer;
    total = Number(response.headers.get('x-total-count'));
    paintList();
    loaded = true;
  } catch {
    $('live').className = 'live off';
    $('live').lastChild.textContent = 'Offline';
  }
};

const paintMessage = (message) => {
  $('subject').textContent = message.subject || '(no subject)';
  paintBadge($('badge'), message.environment);
  paintFace($('face'), message.from);
  $('from').textContent = message.from;
  $('to').textContent = message.to;
  $('time').textContent = longTime(message.received_at);
  $('time').dateTime = message.received_at;
  $('download').href = '/api/messages/' + encodeURIComponent(message.id) + '/raw';
  $('files').replaceChildren(...message.attachments.map((file) =>
    make('span', '', (file.name || file.type) + ' · ' + Math.max(1, Math.round(file.size / 1024)) + ' KB')));
  $('files').hidden = message.attachments.length === 0;
  $('view-text').replaceChildren(make('div', '', message.text || ''));
  $('view-source').textContent = message.raw;
  $('headers').replaceChildren(...message.headers.flatMap((header) =>
    [make('dt', '', header.name), make('dd', '', header.value)]));
  // A new frame rather than a new address: the browser's way back must lead to the list, not to the last message.
  const frame = $('frame').cloneNode();
  if (message.html !== null) frame.src = '/api/messages/' + encodeURIComponent(message.id) + '/html';
  else frame.removeAttribute('src');
  $('frame').replaceWith(frame);
  for (const button of document.querySelectorAll('[role=tab]')) {
    button.disabled = (button.dataset.tab === 'html' && message.html === null) ||
      (button.dataset.tab === 'text' && message.text === null);
  }
  showTab(message.html === null && tab === 'html' ? 'text' : message.text === null && tab === 'text' ? 'html' : tab);
};

const showTab = (name) => {
  for (const button of document.querySelectorAll('[role=tab]')) {
    const chosen = button.dataset.tab === name;
    button.setAttribute('aria-selected', String(chosen));
    $('view-' + button.dataset.tab).hidden = !chosen;
  }
  $('widths').hidden = name !== 'html';
};

const follow = async () => {
  const id = location.hash.slice(1) || null;
  openId = id;
  document.body.classList.toggle('reading', id !== null);
  if (id === null) {
    $('message').hidden = true;
    paintList();
    return;
  }
  try {
    const message = await (await call('/api/messages/' + encodeURIComponent(id))).json();
    if (openId !== id) return;
    seen.delete(id);
    seen.add(id);
    localStorage.setItem(SEEN, JSON.stringify([...seen].slice(-2000)));
    paintMessage(message);
    $('message').hidden = false;
    paintList();
    const row = rows.get(id);
    if (row) row.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    if (openId === id && error.status === 404) location.hash = '';
  }
};

const step = (by) => {
  const at = messages.findIndex((message) => message.id === openId);
  const next = messages[at < 0 ? 0 : Math.min(messages.length - 1, Math.max(0, at + by))];
  if (next) location.replace('#' + next.id);
};
const removeOpen = async () => {
  if (openId === null) return;
  const at = messages.findIndex((message) => message.id === openId);
  const next = messages[at + 1] || messages[at - 1];
  await call('/api/messages/' + encodeURIComponent(openId), { method: 'DELETE' });
  location.replace('#' + (next && matchMedia('(min-width: 761px)').matches ? next.id : ''));
  await refresh();
};

let typing = 0;
$('search').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(refresh, 120);
});
$('empty').addEventListener('click', () => $('sure').showModal());
$('sure').addEventListener('close', async () => {
  if ($('sure').returnValue !== 'yes') return;
  $('sure').returnValue = '';
  await call('/api/messages', { method: 'DELETE' });
  location.hash = '';
  await refresh();
});
$('delete').addEventListener('click', removeOpen);
$('back').addEventListener('click', () => { location.hash = ''; });
for (const button of document.querySelectorAll('[role=tab]'))
  button.addEventListener('click', () => { tab = button.dataset.tab; showTab(tab); });
for (const button of document.querySelectorAll('[data-width]'))
  button.addEventListener('click', () => {
    $('frame').classList.toggle('phone', button.dataset.width === 'phone');
    for (const other of document.querySelectorAll('[data-width]'))
      other.setAttribute('aria-pressed', String(other === button));
  });
document.addEventListener('keydown', (event) => {
  if ($('sure').open || event.ctrlKey || event.metaKey || event.altKey) return;
  const inSearch = document.activeElement === $('search');
  if (event.key === 'ArrowDown' || (event.key === 'j' && !inSearch)) step(1);
  else if (event.key === 'ArrowUp' || (event.key === 'k' && !inSearch)) step(-1);
  else if (event.key === '/' && !inSearch) $('search').focus();
  else if (event.key === 'Delete' && !inSearch) removeOpen();
  else if (event.key === 'Escape' && inSearch) { $('search').value = ''; $('search').blur(); refresh(); }
  else if (event.key === 'Escape') location.hash = '';
  else return;
  event.preventDefault();
});
addEventListener('hashchange', follow);
setInterval(() => {
  for (const message of messages) rows.get(message.id).querySelector('time').textContent = ago(message.received_at);
}, 20000);

const news = new EventSource('/api/changes');
news.addEventListener('change', refresh);
news.addEventListener('open', () => {
  $('live').className = 'live';
  $('live').lastChild.textContent = 'Live';
  refresh();
});
news.addEventListener('error', () => {
  $('live').className = 'live off';
  $('live').lastChild.textContent = 'Offline';
});
refresh().then(() => { if (location.hash.length > 1) follow(); });
`;
