/**
 * The cells of the access tables: each caller, the expected answer, and a check that a refused call changes nothing.
 */
import type pg from 'pg';
import { KEY_SCOPES, ROLES } from '../../src/kernel/principal.js';
import type { Environment } from '../../src/kernel/tenant-scope.js';
import { asKey, asRole, type Headers, type House } from './access-houses.js';
import { OF_PERSONS, type Row } from './access-table.js';
import type { Answer } from './app.js';
import { repetitions, sampleOf } from './test-scope.js';

/**
 * For each row, one in this many outsiders (callers without rights to the row) calls; in the nightly run all of them
 * call.
 */
const ONE_OUTSIDER_IN = 5;

/**
 * The callers of each row: every role and every scope, then the outsiders: five with missing or wrong credentials, and
 * every role and scope of the neighbouring workspace.
 */
const OWN_CELLS = ROLES.length + KEY_SCOPES.length;
const OUTSIDERS = 5 + OWN_CELLS;
export const CELLS_OF_A_ROW =
  OWN_CELLS + repetitions({ short: OUTSIDERS / ONE_OUTSIDER_IN, full: OUTSIDERS });

/**
 * One caller of one row and its expected answer: an error code for a refusal, otherwise what an allowed caller gets.
 */
export interface Cell {
  readonly who: string;
  readonly headers: Headers;
  readonly expected: string;
  readonly isLetIn: boolean;
}

/** The callers of a row, each with its expected answer. @param place index of the row in its table. */
export function cellsOf(
  [name, members, keys, ofMember, ofKey, passes]: Row,
  place: number,
  house: House,
  neighbour: House,
): Cell[] {
  const isOfPersons = OF_PERSONS.includes(name);
  const cell = (who: string, headers: Headers, refusal: string | undefined): Cell => ({
    ...{ who, headers, expected: refusal ?? passes, isLetIn: refusal === undefined },
  });
  const at = { 'x-workspace-id': house.id };
  const own = [
    ...ROLES.map((role, n) => cell(role, asRole(role, house), members[n] === '-' ? ofMember : undefined)),
    ...KEY_SCOPES.map((scope, n) =>
      cell(`key ${scope}`, asKey(scope, house), keys[n] === '-' ? ofKey : undefined),
    ),
  ];
  const outsiders = [
    cell('nobody', {}, 'missing_token'),
    cell('a workspace alone', at, 'missing_api_key'),
    cell('a key alone', { 'x-api-key': house.keys.full }, 'missing_workspace_id'),
    cell('a key of nobody', { ...at, 'x-api-key': `psk_live_${'0'.repeat(32)}` }, 'invalid_api_key'),
    cell('a token of nobody', { ...at, authorization: 'Bearer a.b.c' }, 'invalid_token'),
    ...ROLES.map((role) =>
      cell(
        `the neighbour’s ${role}`,
        asRole(role, neighbour, house),
        isOfPersons ? undefined : 'workspace_mismatch',
      ),
    ),
    ...KEY_SCOPES.map((scope) =>
      cell(`the neighbour’s key ${scope}`, asKey(scope, neighbour, house), 'workspace_mismatch'),
    ),
  ];
  return [...own, ...sampleOf(outsiders, place, ONE_OUTSIDER_IN)];
}

/** Selects rows: all, those of one workspace, or those of one environment of it. */
export interface Whose {
  readonly workspaceId?: string;
  readonly environment?: Environment;
}

/**
 * Hashes the rows of all tenant tables, so that no change goes unnoticed. The last use of an API key does not count.
 */
export async function everything(
  admin: pg.Client,
  { workspaceId, environment }: Whose = {},
): Promise<string> {
  const { rows: tables } = await admin.query<{ name: string; owner: string }>(
    `SELECT table_name AS name, min(column_name) FILTER (WHERE column_name <> 'environment') AS owner
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> 'api_key_uses'
       AND (column_name IN ('workspace_id', 'environment') OR (table_name, column_name) = ('workspaces', 'id'))
     GROUP BY 1 HAVING bool_or(column_name <> 'environment') AND ($1 OR bool_or(column_name = 'environment'))
     ORDER BY 1`,
    [environment === undefined],
  );
  const hashes: string[] = [];
  for (const { name, owner } of tables) {
    const conditions = [
      ...(workspaceId === undefined ? [] : [`t.${owner} = '${workspaceId}'`]),
      ...(environment === undefined ? [] : [`t.environment = '${environment}'`]),
    ];
    const { rows } = await admin.query<{ hash: string | null }>(
      `SELECT md5(string_agg(t::text, '' ORDER BY t::text)) AS hash FROM ${name} t
       WHERE ${['true', ...conditions].join(' AND ')}`,
    );
    hashes.push(`${name} ${rows[0]?.hash}`);
  }
  return hashes.join('\n');
}

let asked = 0;
/** Bad credentials have a rate window per address, so each call comes from a different address. */
export function fromElsewhere(headers: Headers): Record<string, string> {
  asked++;
  return { ...headers, 'x-forwarded-for': `10.${asked >> 16}.${(asked >> 8) % 256}.${asked % 256}` };
}

export interface Judgement {
  readonly cells: number;
  readonly wrong: string[];
}

/** Makes the call of each cell, refused ones first. Returns the number of cells and the unexpected answers. */
export async function judge(
  admin: pg.Client,
  rows: readonly (readonly [name: string, cells: readonly Cell[]])[],
  ask: (name: string, headers: Record<string, string>, cell: Cell) => Promise<string>,
): Promise<Judgement> {
  const wrong: string[] = [];
  let cells = 0;
  const check = async (name: string, cell: Cell): Promise<void> => {
    cells++;
    const answer = await ask(name, fromElsewhere(cell.headers), cell);
    if (!cell.expected.split('|').includes(answer))
      wrong.push(`${name} as ${cell.who}: ${answer}, not ${cell.expected}`);
  };
  const before = await everything(admin);
  for (const [name, all] of rows)
    await Promise.all(all.filter(({ isLetIn }) => !isLetIn).map((cell) => check(name, cell)));
  expect(await everything(admin)).toBe(before);
  for (const [name, all] of rows) for (const cell of all) if (cell.isLetIn) await check(name, cell);
  return { cells, wrong };
}

/** Sums up a REST answer as clients read it (section 7): its code, else its reason, else its status. */
export function saidOfRest({ status, body }: Answer): string {
  if (status < 400) return String(status);
  const named = (body?.code ?? body?.detail?.code ?? body?.reason) as unknown;
  return typeof named === 'string' ? named : `${status} no code`;
}
