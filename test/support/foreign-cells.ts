/**
 * The cells of the tables for foreign objects: who names which object, the expected answer, and the rows that must not
 * change.
 */
import type pg from 'pg';
import type { Environment } from '../../src/kernel/tenant-scope.js';
import { everything, fromElsewhere, type Judgement } from './access-cells.js';
import {
  asFullKeyIn,
  asOwnerIn,
  tracesOf,
  KINDS,
  type FurnishedHouse,
  type Things,
} from './access-houses.js';
import type { Row } from './access-table.js';
import type { ForeignRow } from './foreign-rest-table.js';
import { NOWHERE } from './graphql-documents.js';
import { sampleOf } from './test-scope.js';

/** A request to make: the object it names, the caller's own objects for its other parameters, and the credentials. */
export interface Question {
  readonly row: ForeignRow;
  readonly named: string;
  readonly own: Things;
  readonly headers: Record<string, string>;
}
/** The answer: as a short code, and in full. */
export interface ReceivedAnswer {
  readonly said: string;
  readonly text: string;
}
export interface Fixture {
  readonly admin: pg.Client;
  readonly house: FurnishedHouse;
  readonly neighbour: FurnishedHouse;
  /** Access rules, needed for operations that only users (not keys) may call. */
  readonly access: readonly Row[];
  readonly isReading: (operation: string) => boolean;
  readonly ask: (question: Question) => Promise<ReceivedAnswer>;
}

/** Replaces each `$` by the named object, and `$kind` by the caller's own object of that kind. */
export function filled(text: string, { named, own }: Pick<Question, 'named' | 'own'>): string {
  return text.replace(/\$(\w*)/g, (_, kind: string) => (kind === '' ? named : own[kind as keyof Things]));
}

interface Cell {
  readonly row: ForeignRow;
  readonly who: 'owner' | 'key';
  readonly asks: Environment;
  readonly of: FurnishedHouse;
  readonly from: Environment;
  readonly expected: string;
}

const isAnew = ({ expected }: Cell): boolean => expected.startsWith('anew ');

/** The expected answer without the prefixes for new names (`anew`) and for names that are not looked up (`unread`). */
const wordsOf = (expected: string): string => expected.replace(/^(?:anew|unread) /, '');

/** Requests that name objects of the other workspace and of the other environment. */
function foreignCells(row: ForeignRow, place: number, { house, neighbour }: Fixture): readonly Cell[] {
  const [, , kind, ofAnother, ofOtherEnvironment] = row;
  const isApart = KINDS[kind][1] === 'apart';
  if (isApart === (ofOtherEnvironment === 'same')) throw new Error(`Environments of ${row.join(' ')}`);
  const theirs = { row, of: neighbour, expected: ofAnother };
  const others = { row, of: house, expected: ofOtherEnvironment };
  const cells: Cell[] = [
    { ...theirs, who: 'owner', asks: 'live', from: 'live' },
    { ...theirs, who: 'key', asks: 'live', from: 'test' },
    { ...theirs, who: 'owner', asks: 'test', from: 'test' },
    { ...theirs, who: 'key', asks: 'test', from: 'live' },
    { ...others, who: 'owner', asks: 'live', from: 'test' },
    { ...others, who: 'key', asks: 'test', from: 'live' },
    { ...others, who: 'owner', asks: 'test', from: 'live' },
    { ...others, who: 'key', asks: 'live', from: 'test' },
  ];
  // Naming a foreign object with `anew` creates one. Each name is therefore used once in each environment that allows
  // it.
  const once = isApart ? [0, 1, 4, 5] : [0];
  const meant = cells.filter(
    (cell, n) => (cell.of === neighbour || isApart) && (!isAnew(cell) || once.includes(n)),
  );
  return sampleOf(meant, place, 3);
}

/**
 * Requests that name the caller's own objects: in both environments if each has its own, or if the operation only
 * reads.
 */
function ownCells(row: ForeignRow, { house, isReading }: Fixture): Cell[] {
  const [operation, , kind, , , expected] = row;
  const here: Cell = { row, who: 'owner', asks: 'live', of: house, from: 'live', expected };
  const there: Cell = { ...here, who: 'key', asks: 'test', from: 'test' };
  return KINDS[kind][1] === 'apart' || isReading(operation) ? [here, there] : [here];
}

/**
 * Runs every cell of the rows: first those that change nothing, then those that create, then the caller's own, in
 * order.
 */
export async function judgeForeign(fixture: Fixture, rows: readonly ForeignRow[]): Promise<Judgement> {
  const { admin, house, neighbour } = fixture;
  const wrong: string[] = [];
  let cells = 0;

  const request = (cell: Cell, named: string): Promise<ReceivedAnswer> =>
    fixture.ask({
      ...{ row: cell.row, named, own: house.things[cell.asks] },
      headers: fromElsewhere((cell.who === 'owner' ? asOwnerIn : asFullKeyIn)(cell.asks, house)),
    });
  const check = async (cell: Cell): Promise<void> => {
    cells++;
    const [operation, place, kind, ofAnother] = cell.row;
    const named = cell.of.things[cell.from][kind];
    const access = fixture.access.find(([name]) => name === operation);
    const isForPeople = cell.who === 'key' && access?.[2].at(-1) === '-';
    const expected = isForPeople ? access[4] : wordsOf(cell.expected);
    const isLookedUp = wordsOf(ofAnother) === ofAnother;
    const name = `${operation} ${place}, the ${kind} of ${cell.of.name} ${cell.from}, as ${cell.who} in ${cell.asks}`;
    // A name that does not exist is requested first: the next request may delete the caller's own object.
    const nothing = NOWHERE.length === named.length && !named.startsWith('canary') ? NOWHERE : 'nowhere';
    const ofNothing = isLookedUp ? await request(cell, nothing) : undefined;
    const { said, text: full } = await request(cell, named);
    const text = full.replaceAll(named, '$');
    if (said !== expected) wrong.push(`${name}: ${said}, not ${expected}`);
    const isOwn = cell.of === house && cell.from === cell.asks;
    const traces = cell.of === house ? tracesOf(house, cell.from) : tracesOf(cell.of);
    const shown = isOwn ? undefined : traces.find((trace) => text.includes(trace));
    if (shown !== undefined) wrong.push(`${name}: ${shown} is shown`);
    if (ofNothing && (text === ofNothing.text.replaceAll(nothing, '$')) === (isOwn && !isForPeople))
      wrong.push(`${name}: ${isOwn ? 'as' : 'not as'} what nobody has: ${full} ${ofNothing.text}`);
  };
  /** Runs cells one after the other and checks that the given rows do not change. */
  const checkBeside = async (beside: Cell[], ...whose: Parameters<typeof everything>[1][]): Promise<void> => {
    const rowsOf = (): Promise<string[]> => Promise.all(whose.map((one) => everything(admin, one)));
    const before = await rowsOf();
    for (const cell of beside) await check(cell);
    expect(await rowsOf()).toEqual(before);
  };

  const foreign = rows.map((row, place) => foreignCells(row, place, fixture));
  const before = await everything(admin);
  for (const cell of foreign.flat()) if (!isAnew(cell)) await check(cell);
  expect(await everything(admin)).toBe(before);

  const theirs = { workspaceId: neighbour.id };
  const anew = foreign.flat().filter(isAnew);
  for (const [asks, other] of [['live', 'test'] as const, ['test', 'live'] as const])
    await checkBeside(
      anew.filter((cell) => cell.asks === asks),
      theirs,
      { workspaceId: house.id, environment: other },
    );
  await checkBeside(
    rows.flatMap((row) => ownCells(row, fixture)),
    theirs,
  );
  return { cells, wrong };
}
