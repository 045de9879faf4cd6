/**
 * The steps of a platform's export: the addresses that it does not write to, page by page; the start; checks whether
 * it is ready; the download; and its records. Each step is one page of the source, so a kill costs one step. If an
 * export is lost before it was read (its link has expired, or the platform no longer has it), a new one is started
 * and read from its beginning. Contacts that were read before are merged.
 */
import type { JsonObject } from '../../../../kernel/json.js';
import type { SourceContact, SourceSuppression, UnreadableRecord } from '../source-record.js';
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
  type ExportPosition,
  type IsHeader,
  LostDownload,
  readExportPage,
} from './export-reading.js';
import { countIn, readStorable, textIn, unreadable } from './source-fields.js';

/** The result of requesting an export. */
export type Started =
  /** @property day tomorrow, by the platform's clock, such as 2026-11-27. */
  | { readonly kind: 'started'; readonly handle: string; readonly day?: string }
  /** Another export is under way and has to finish first. */
  | { readonly kind: 'busy' };

/** The state of an export. */
export type ExportState =
  /** @property total records, if the platform reports it. */
  | { readonly kind: 'ready'; readonly url: string; readonly total?: number }
  | { readonly kind: 'waiting' }
  /** It failed, or the platform no longer knows it. */
  | { readonly kind: 'lost' };

export interface SuppressionPage {
  readonly suppressions: readonly SourceSuppression[];
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
  readonly checkState: (handle: string) => Promise<ExportState>;
  /** Whether a successful download is the only sign that the export is ready. */
  readonly isReadyByDownload: boolean;
  /** Lists of addresses that the platform does not write to. */
  readonly lists: readonly ((offset: number, day: string | null) => Promise<SuppressionPage>)[];
  /** Null for a record that is not a person. */
  readonly read: (record: JsonObject, row: number) => SourceContact | UnreadableRecord | null;
}

/** Maximum number of checks of an export that is not ready. With the growing waits, this is about four hours. */
const MAX_CHECKS = 240;
/** Maximum number of waits for another export to finish. */
const MAX_BUSY_WAITS = 400;
/** Maximum number of exports that are started in place of lost ones, including the first. */
const MAX_STARTS = 3;
/** Maximum number of damaged downloads of an export. */
const MAX_DAMAGED_DOWNLOADS = 3;
/** Maximum number of links of a finished export that lead nowhere. */
const MAX_DEAD_LINKS = 5;
/** The first wait for an export, in milliseconds. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
const WAIT_GROWTH = 1.5;
/** Maximum length of a handle, which may be an address, in characters. */
const MAX_HANDLE_LENGTH = 8_192;

interface ExportCursor extends ExportPosition {
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
  const position = readCursor(cursor);
  const { fileId, size, handle } = position;
  // Reading of a download continues even if the address of the export is gone, as after a failure that was resumed.
  if (fileId !== null && size !== null) return readRecords(plan, position, { fileId, size }, calls);
  if (handle === null) return start(plan, position);
  const list = plan.lists[position.list];
  if (list) return suppressionsOf(await list(position.listOffset, position.day), position);
  return download(plan, position, handle, calls);
}

function readCursor(cursor: Cursor | null): ExportCursor {
  const count = (name: keyof ExportCursor): number => countIn(cursor?.[name]) ?? 0;
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
function step(position: ExportCursor, wait?: number): SourcePage {
  return { records: [], next: { ...position }, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

function waitAfter(times: number): number {
  return Math.min(MAX_WAIT_MS, Math.round(FIRST_WAIT_MS * WAIT_GROWTH ** Math.min(times, 30)));
}

async function start(plan: ExportPlan, position: ExportCursor): Promise<SourcePage> {
  const started = await plan.start();
  if (started.kind === 'busy') {
    if (position.busy + 1 >= MAX_BUSY_WAITS)
      throw unavailable(plan, 'is busy with another export that does not finish');
    return step({ ...position, busy: position.busy + 1 }, MAX_WAIT_MS);
  }
  if (started.handle.length > MAX_HANDLE_LENGTH) throw unavailable(plan, 'returned a name that is too long');
  return step({
    ...fromBeginning(position),
    handle: started.handle,
    day: started.day ?? position.day,
    starts: position.starts + 1,
  });
}

function suppressionsOf({ suppressions, next }: SuppressionPage, position: ExportCursor): SourcePage {
  const isOver = next === null || next <= position.listOffset;
  return {
    records: suppressions,
    next: { ...position, list: position.list + (isOver ? 1 : 0), listOffset: isOver ? 0 : next },
  };
}

async function download(
  plan: ExportPlan,
  position: ExportCursor,
  handle: string,
  calls: SourceCalls,
): Promise<SourcePage> {
  const state = await plan.checkState(handle);
  if (state.kind === 'lost') return restart(plan, position);
  if (state.kind === 'waiting') return checkAgain(plan, position);
  const fileId = await downloadOrNull(calls, state.url);
  if (fileId === null) return withoutDownload(plan, position);
  const size = await calls.sizeOf(fileId);
  // A second download of the same export has the same size. A different one is read from its beginning.
  const isOther = position.size !== null && position.size !== size;
  return step({
    ...(isOther ? { ...position, part: 0, offset: 0, before: position.row - 1 } : position),
    fileId,
    size,
    total: state.total ?? position.total,
    looks: 0,
    deadLinks: 0,
  });
}

/** Null if the address does not exist: not yet, or no longer. */
async function downloadOrNull(calls: SourceCalls, url: string): Promise<string | null> {
  try {
    return await calls.download(url, 'export');
  } catch (error) {
    if (error instanceof DownloadMissing) return null;
    throw error;
  }
}

function withoutDownload(plan: ExportPlan, position: ExportCursor): SourcePage {
  if (plan.isReadyByDownload)
    return position.size === null ? checkAgain(plan, position) : restart(plan, position);
  if (position.deadLinks + 1 >= MAX_DEAD_LINKS) return restart(plan, { ...position, deadLinks: 0 });
  return step({ ...position, deadLinks: position.deadLinks + 1 }, waitAfter(position.deadLinks));
}

function checkAgain(plan: ExportPlan, position: ExportCursor): SourcePage {
  if (position.looks + 1 >= MAX_CHECKS) return restart(plan, position);
  return step({ ...position, looks: position.looks + 1 }, waitAfter(position.looks));
}

/** Starts another export, which is read from its beginning. */
function restart(plan: ExportPlan, position: ExportCursor): SourcePage {
  if (position.starts >= MAX_STARTS) throw unavailable(plan, 'returned no readable export');
  return step({ ...fromBeginning(position), handle: null, busy: 0 }, waitAfter(position.starts));
}

/** The state for reading another export from its beginning. */
function fromBeginning(position: ExportCursor): ExportCursor {
  const before = position.row - 1;
  return { ...position, fileId: null, size: null, total: null, part: 0, offset: 0, before, looks: 0 };
}

async function readRecords(
  plan: ExportPlan,
  position: ExportCursor,
  file: Download,
  calls: SourceCalls,
): Promise<SourcePage> {
  let page;
  try {
    page = await readExportPage(calls, file, plan.format, position, plan.isHeader);
  } catch (error) {
    if (error instanceof DamagedExport) return afterDamage(plan, position);
    // This happens after a failure that was resumed.
    if (error instanceof LostDownload) return step({ ...position, fileId: null });
    throw error;
  }
  let row = position.row;
  const records = page.records.flatMap((record) => {
    const read =
      record === null
        ? unreadable(row, null, 'The record cannot be read.')
        : readStorable(record, row, plan.read);
    if (read === null) return [];
    row++;
    return [read];
  });
  const next = { ...position, ...page.place, row };
  return {
    records,
    next: page.isLast ? null : { ...next },
    ...(position.total === null
      ? { share: page.share }
      : { total: Math.max(position.before + position.total, row - 1) }),
  };
}

function afterDamage(plan: ExportPlan, position: ExportCursor): SourcePage {
  if (position.damaged + 1 >= MAX_DAMAGED_DOWNLOADS)
    throw new SourceFailure('file_unreadable', `The export returned by ${plan.platform} cannot be read.`);
  return step({ ...position, fileId: null, damaged: position.damaged + 1 }, waitAfter(position.damaged));
}

function unavailable(plan: ExportPlan, what: string): SourceFailure {
  return new SourceFailure('platform_unavailable', `${plan.platform} ${what}.`);
}
