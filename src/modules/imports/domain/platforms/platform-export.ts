/**
 * The steps of a platform's export: the addresses that it does not write to, page by page; the start; checks whether
 * it is ready; the download; and its records. Each step is one page of the source, so a kill costs one step. If an
 * export is lost before it was read (its link has expired, or the platform no longer has it), a new one is started
 * and read from its beginning. Contacts that were read before are merged.
 */
import type { JsonObject } from '../../../../kernel/json.js';
import type { ForeignContact, ForeignSuppression, UnreadableRecord } from '../foreign-contact.js';
import {
  type Cursor,
  DownloadMissing,
  type SourceCalls,
  SourceFailure,
  type SourcePage,
} from '../import-source.js';
import { DamagedExport } from './export-file.js';
import {
  type Download,
  type ExportFormat,
  type ExportPlace,
  type IsHeader,
  LostDownload,
  readExportPage,
} from './export-reading.js';
import { countIn, readSound, textIn, unreadable } from './foreign-fields.js';

/** The result of requesting an export. */
export type Started =
  /** @property day tomorrow, by the platform's clock, such as 2026-11-27. */
  | { readonly kind: 'started'; readonly handle: string; readonly day?: string }
  /** Another export is under way and has to finish first. */
  | { readonly kind: 'busy' };

/** The state of an export. */
export type Standing =
  /** @property total records, if the platform reports it. */
  | { readonly kind: 'ready'; readonly url: string; readonly total?: number }
  | { readonly kind: 'waiting' }
  /** It failed, or the platform no longer knows it. */
  | { readonly kind: 'lost' };

export interface SuppressionPage {
  readonly suppressions: readonly ForeignSuppression[];
  /** Where the next page of the list starts; null after the last one. */
  readonly next: number | null;
}

/** The parts of an export that differ between platforms. */
export interface ExportPlan {
  readonly format: ExportFormat;
  /** For CSV. */
  readonly isHeader?: IsHeader;
  /** Its name in error messages. */
  readonly platform: string;
  readonly start: () => Promise<Started>;
  readonly standing: (handle: string) => Promise<Standing>;
  /** Whether a successful download is the only sign that the export is ready. */
  readonly isReadyByDownload: boolean;
  /** Lists of addresses that the platform does not write to. */
  readonly lists: readonly ((offset: number, day: string | null) => Promise<SuppressionPage>)[];
  /** Null for a record that is not a person. */
  readonly read: (record: JsonObject, row: number) => ForeignContact | UnreadableRecord | null;
}

/** Maximum number of checks of an export that is not ready. With the growing waits, this is about four hours. */
const MOST_LOOKS = 240;
/** Maximum number of waits for another export to finish. */
const MOST_BUSY = 400;
/** Maximum number of exports that are started in place of lost ones, including the first. */
const MOST_STARTS = 3;
/** Maximum number of damaged downloads of an export. */
const MOST_DAMAGED = 3;
/** Maximum number of links of a finished export that lead nowhere. */
const MOST_DEAD_LINKS = 5;
/** The first wait for an export, in milliseconds. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;
const WAIT_GROWTH = 1.5;
/** Maximum length of a handle, which may be an address, in characters. */
const LONGEST_HANDLE = 8_192;

interface Place extends ExportPlace {
  readonly row: number;
  /** Number of records read from exports that were lost. */
  readonly before: number;
  /** The platform's own handle; null while there is none. */
  readonly handle: string | null;
  readonly day: string | null;
  /** The number of suppression lists that are done, and where the next page of the current one starts. */
  readonly list: number;
  readonly listOffset: number;
  readonly fileId: string | null;
  /** Size of the download in bytes; null before there was one. */
  readonly size: number | null;
  readonly total: number | null;
  readonly starts: number;
  readonly looks: number;
  readonly busy: number;
  readonly damaged: number;
  readonly deadLinks: number;
}

/** @throws SourceFailure */
export async function readPlatformExport(
  plan: ExportPlan,
  cursor: Cursor | null,
  calls: SourceCalls,
): Promise<SourcePage> {
  const place = placeIn(cursor);
  const { fileId, size, handle } = place;
  // Reading of a download continues even if the address of the export is gone, as after a failure that was resumed.
  if (fileId !== null && size !== null) return readRecords(plan, place, { fileId, size }, calls);
  if (handle === null) return start(plan, place);
  const list = plan.lists[place.list];
  if (list) return suppressionsOf(await list(place.listOffset, place.day), place);
  return download(plan, place, handle, calls);
}

function placeIn(cursor: Cursor | null): Place {
  const count = (name: keyof Place): number => countIn(cursor?.[name]) ?? 0;
  return {
    row: countIn(cursor?.row) ?? 1,
    before: count('before'),
    handle: textIn(cursor?.handle),
    day: textIn(cursor?.day),
    list: count('list'),
    listOffset: count('listOffset'),
    fileId: textIn(cursor?.fileId),
    size: countIn(cursor?.size),
    total: countIn(cursor?.total),
    part: count('part'),
    offset: count('offset'),
    starts: count('starts'),
    looks: count('looks'),
    busy: count('busy'),
    damaged: count('damaged'),
    deadLinks: count('deadLinks'),
  };
}

/** A page without records. */
function step(place: Place, wait?: number): SourcePage {
  return { records: [], next: { ...place }, ...(wait === undefined ? {} : { again: wait }) };
}

function waitAfter(times: number): number {
  return Math.min(LONGEST_WAIT, Math.round(FIRST_WAIT * WAIT_GROWTH ** Math.min(times, 30)));
}

async function start(plan: ExportPlan, place: Place): Promise<SourcePage> {
  const started = await plan.start();
  if (started.kind === 'busy') {
    if (place.busy + 1 >= MOST_BUSY)
      throw unavailable(plan, 'is busy with another export that does not finish');
    return step({ ...place, busy: place.busy + 1 }, LONGEST_WAIT);
  }
  if (started.handle.length > LONGEST_HANDLE) throw unavailable(plan, 'returned a name that is too long');
  return step({
    ...fromBeginning(place),
    handle: started.handle,
    day: started.day ?? place.day,
    starts: place.starts + 1,
  });
}

function suppressionsOf({ suppressions, next }: SuppressionPage, place: Place): SourcePage {
  const isOver = next === null || next <= place.listOffset;
  return {
    records: suppressions,
    next: { ...place, list: place.list + (isOver ? 1 : 0), listOffset: isOver ? 0 : next },
  };
}

async function download(
  plan: ExportPlan,
  place: Place,
  handle: string,
  calls: SourceCalls,
): Promise<SourcePage> {
  const standing = await plan.standing(handle);
  if (standing.kind === 'lost') return anew(plan, place);
  if (standing.kind === 'waiting') return look(plan, place);
  const fileId = await downloaded(calls, standing.url);
  if (fileId === null) return withoutDownload(plan, place);
  const size = await calls.sizeOf(fileId);
  // A second download of the same export has the same size. A different one is read from its beginning.
  const isOther = place.size !== null && place.size !== size;
  return step({
    ...(isOther ? { ...place, part: 0, offset: 0, before: place.row - 1 } : place),
    fileId,
    size,
    total: standing.total ?? place.total,
    looks: 0,
    deadLinks: 0,
  });
}

/** Null if the address does not exist: not yet, or no longer. */
async function downloaded(calls: SourceCalls, url: string): Promise<string | null> {
  try {
    return await calls.download(url, 'export');
  } catch (error) {
    if (error instanceof DownloadMissing) return null;
    throw error;
  }
}

function withoutDownload(plan: ExportPlan, place: Place): SourcePage {
  if (plan.isReadyByDownload) return place.size === null ? look(plan, place) : anew(plan, place);
  if (place.deadLinks + 1 >= MOST_DEAD_LINKS) return anew(plan, { ...place, deadLinks: 0 });
  return step({ ...place, deadLinks: place.deadLinks + 1 }, waitAfter(place.deadLinks));
}

function look(plan: ExportPlan, place: Place): SourcePage {
  if (place.looks + 1 >= MOST_LOOKS) return anew(plan, place);
  return step({ ...place, looks: place.looks + 1 }, waitAfter(place.looks));
}

/** Starts another export, which is read from its beginning. */
function anew(plan: ExportPlan, place: Place): SourcePage {
  if (place.starts >= MOST_STARTS) throw unavailable(plan, 'returned no readable export');
  return step({ ...fromBeginning(place), handle: null, busy: 0 }, waitAfter(place.starts));
}

/** The state for reading another export from its beginning. */
function fromBeginning(place: Place): Place {
  const before = place.row - 1;
  return { ...place, fileId: null, size: null, total: null, part: 0, offset: 0, before, looks: 0 };
}

async function readRecords(
  plan: ExportPlan,
  place: Place,
  file: Download,
  calls: SourceCalls,
): Promise<SourcePage> {
  let page;
  try {
    page = await readExportPage(calls, file, plan.format, place, plan.isHeader);
  } catch (error) {
    if (error instanceof DamagedExport) return afterDamage(plan, place);
    // This happens after a failure that was resumed.
    if (error instanceof LostDownload) return step({ ...place, fileId: null });
    throw error;
  }
  let row = place.row;
  const records = page.records.flatMap((record) => {
    const read =
      record === null
        ? unreadable(row, null, 'The record cannot be read.')
        : readSound(record, row, plan.read);
    if (read === null) return [];
    row++;
    return [read];
  });
  const next = { ...place, ...page.place, row };
  return {
    records,
    next: page.isLast ? null : { ...next },
    ...(place.total === null
      ? { share: page.share }
      : { total: Math.max(place.before + place.total, row - 1) }),
  };
}

function afterDamage(plan: ExportPlan, place: Place): SourcePage {
  if (place.damaged + 1 >= MOST_DAMAGED)
    throw new SourceFailure('file_unreadable', `The export returned by ${plan.platform} cannot be read.`);
  return step({ ...place, fileId: null, damaged: place.damaged + 1 }, waitAfter(place.damaged));
}

function unavailable(plan: ExportPlan, what: string): SourceFailure {
  return new SourceFailure('platform_unavailable', `${plan.platform} ${what}.`);
}
