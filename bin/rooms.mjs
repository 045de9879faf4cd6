/**
 * Prints the house as it stands: its rooms (folders of src at depth two), what each imports of which other, and the
 * arrows that run up or in a circle. `node bin/rooms.mjs [folder] [--edges]`: another checkout may be named; edges are
 * listed on demand. Fails when there is such an arrow.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const args = process.argv.slice(2);
const folder = resolve(args.find((arg) => !arg.startsWith('--')) ?? '.');
const PROGRAM = resolve(import.meta.dirname, '../node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** Storeys, the lowest first; rooms of a storey stand on each other, and none leads back to one above it. */
const STOREYS = ['kernel', 'language', 'platform', 'modules', 'processes'];

const { modules } = JSON.parse(
  execFileSync(
    process.execPath,
    [PROGRAM, '--config', resolve(folder, '.dependency-cruiser.mjs'), '--output-type', 'json', 'src'],
    { cwd: folder, maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' },
  ),
);

/** `modules/trips`, `platform/queue`; what lies on a storey itself is of the storey. */
function roomOf(file) {
  const [src, storey, room, ...rest] = file.split('/');
  if (src !== 'src') return undefined;
  return rest.length > 0 ? `${storey}/${room}` : storey;
}

/**
 * What may stand in a circle: a room, or a file that lies on a storey itself. Such files are doors (`language.ts`,
 * `api.main.ts`) or the ground of their storey's rooms, and not a room together.
 */
function standing(file) {
  const room = roomOf(file);
  return room?.includes('/') ? room : file;
}

const rooms = new Map();
const edges = new Map();
const below = new Map();
for (const { source, dependencies } of modules) {
  const from = roomOf(source);
  if (from === undefined || source.endsWith('.spec.ts')) continue;
  rooms.set(from, (rooms.get(from) ?? 0) + 1);
  for (const { resolved } of dependencies) {
    const to = roomOf(resolved);
    if (to === undefined) continue;
    const [start, end] = [standing(source), standing(resolved)];
    if (start !== end) below.set(start, (below.get(start) ?? new Set()).add(end));
    if (to === from) continue;
    const key = `${from} > ${to}`;
    edges.set(key, (edges.get(key) ?? 0) + 1);
  }
}

function storeyOf(room) {
  const storey = room.split('/')[0];
  return storey === 'migrations' ? STOREYS.length : STOREYS.indexOf(storey);
}

function runsUp(from, to) {
  return storeyOf(to) > storeyOf(from) && from.split('/')[0] !== 'processes';
}

/** Whether imports lead from one room to another. */
function reaches(from, to, seen = new Set([from])) {
  for (const next of below.get(from) ?? []) {
    if (next === to) return true;
    if (!seen.has(next) && reaches(next, to, seen.add(next))) return true;
  }
  return false;
}

const listed = [...edges].sort(([a], [b]) => (a < b ? -1 : 1));
const up = listed.filter(([key]) => runsUp(...key.split(' > '))).map(([key, n]) => `${key} (${n})`);
const circles = [...below]
  .flatMap(([from, ends]) => [...ends].filter((to) => reaches(to, from)).map((to) => `${from} > ${to}`))
  .sort();
if (args.includes('--edges')) for (const [key, imports] of listed) console.log(`${key} (${imports})`);
const files = [...rooms.values()].reduce((sum, n) => sum + n, 0);
const found = [...up, ...circles];
console.log(`rooms ${rooms.size}, files ${files}, edges between rooms ${listed.length}`);
console.log(`arrows up or in a circle ${found.length}${found.map((arrow) => `\n  ${arrow}`).join('')}`);
process.exitCode = found.length > 0 ? 1 : 0;
