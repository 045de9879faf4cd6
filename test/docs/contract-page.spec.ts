/**
 * Checks docs/contract.md against the service: every section that code cites exists, the tables of endpoints,
 * codes, rates and plans match, and endpoints marked as planned are not served yet.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CATALOGUE } from '../../src/kernel/error-catalogue.js';
import { PLANS, type Plan } from '../../src/modules/limits/domain/plan.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8');
const COMING = '†';

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The cells of the page's table rows, by section. */
const ROWS = PAGE.split(/^(?=#{2,3} \d)/m).flatMap((part) => {
  const section = /^#{2,3} (\d+(?:\.\d+)?)/.exec(part)?.[1] ?? '';
  return [...part.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) => ({
    section,
    cells: row.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  }));
});

function rowsOf(section: string): readonly (readonly string[])[] {
  return ROWS.filter((row) => row.section === section).map(({ cells }) => cells);
}

/** Normalises a path: the names of its parameters may differ. */
function shape(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`;
}

function endpointsOfPage(): { readonly served: Set<string>; readonly coming: Set<string> } {
  const served = new Set<string>();
  const coming = new Set<string>();
  for (const { section, cells } of ROWS) {
    if (!section.startsWith('4.')) continue;
    const [methods = '', path = ''] = cells;
    if (!path.startsWith('/v1/')) continue;
    for (const method of methods.split(', '))
      (path.endsWith(COMING) ? coming : served).add(shape(method, path.replace(` ${COMING}`, '')));
  }
  return { served, coming };
}

function endpointsServed(): Set<string> {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;
  return new Set(
    Object.entries(paths).flatMap(([path, operations]) =>
      path.startsWith('/v1/') ? Object.keys(operations).map((method) => shape(method, path)) : [],
    ),
  );
}

test('the endpoints of the page are those of the service, and what is coming is not served', () => {
  const { served, coming } = endpointsOfPage();
  expect([...served].sort()).toEqual([...endpointsServed()].sort());
  expect([...coming].filter((endpoint) => served.has(endpoint))).toEqual([]);
  expect(served.size + coming.size).toBeGreaterThan(120);
});

test('the codes of the page are those of the catalogue, with their statuses', () => {
  const rows = rowsOf('7.2').slice(2);
  const now = rows.filter(([, , when = '']) => !when.endsWith(COMING));
  const catalogue = Object.entries(ERROR_CATALOGUE).map(([code, { status }]) => `${status} ${code}`);
  expect(now.map(([status, code]) => `${status} ${code}`).sort()).toEqual(catalogue.sort());
  const coming = rows.filter((row) => !now.includes(row)).map(([, code = '']) => code);
  expect(coming.filter((code) => code in ERROR_CATALOGUE)).toEqual([]);
});

const figure = (text: string): number =>
  text === 'unlimited' || text === 'custom' ? Number.POSITIVE_INFINITY : Number(text.replace(/,| days/g, ''));

const plansOf = (section: string, columns: number): [Plan, number[]][] =>
  rowsOf(section)
    .filter((cells) => cells.length === columns && /^[A-Z]/.test(cells[0] ?? ''))
    .map(([name = '', ...figures]) => [PLANS[name.toLowerCase() as keyof typeof PLANS], figures.map(figure)]);

test('the rates and caps of the page are those of the plans', () => {
  const byPerson = plansOf('8.1', 3);
  const byWorkspace = plansOf('8.1', 4);
  const caps = plansOf('8.2', 9);
  expect([byPerson, byWorkspace, caps].map((rows) => rows.length)).toEqual([4, 4, 4]);
  for (const [{ perCaller }, figures] of byPerson)
    expect(figures).toEqual([perCaller.minute, perCaller.hour]);
  for (const [{ perWorkspace }, figures] of byWorkspace)
    expect(figures).toEqual([perWorkspace.general, perWorkspace.events, perWorkspace.send]);
  for (const [{ caps: of, retentionDays }, figures] of caps)
    expect(figures).toEqual([
      of.emails,
      of.events,
      of.contacts,
      of.api_keys,
      of.members,
      of.flows,
      retentionDays,
      of.inspect_credits,
    ]);
});

/** The section numbers that a text cites, as in `section 4.3` or `sections 2.3, 3.2 and 6.3`. */
function cited(text: string): string[] {
  const lists = text.matchAll(/\bsections? (\d(?:\.\d+)?(?:(?:, | and |–)\d(?:\.\d+)?)*)/gi);
  return [...lists].flatMap(([, list = '']) => list.match(/\d(?:\.\d+)?/g) ?? []);
}

test('every section that code, tests and pages cite is there', () => {
  const sections = new Set([...PAGE.matchAll(/^#{2,3} (\d(?:\.\d+)?)/gm)].map(([, number]) => number));
  const missing: string[] = [];
  let count = 0;
  for (const folder of ['src', 'test', 'bench', 'docs'])
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(ts|md)$/.test(file)) continue;
      // Joins comment lines, because a citation may wrap.
      const text = readFileSync(join(ROOT, folder, file), 'utf8').replace(/\n\s*\*? ?/g, ' ');
      for (const number of cited(text)) {
        count++;
        if (!sections.has(number)) missing.push(`${folder}/${file}: ${number}`);
      }
    }
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(200);
});
