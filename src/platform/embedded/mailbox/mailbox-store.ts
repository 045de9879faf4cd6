/**
 * Stores the mailbox's messages durably over restarts without slowing the mail. Messages are appended in batches to
 * large segment files, each with an index; the oldest segment is deleted when none of its messages are retained. A
 * message counts as stored once the operating system has it; a local mailbox need not survive a power failure.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { MessageSummary } from './mailbox-message.js';

export interface StoreOptions {
  /** Maximum number of messages; the newest are retained. */
  readonly capacity?: number;
  /** Size in bytes after which a new segment file is started. */
  readonly segmentBytes?: number;
}

interface Segment {
  readonly number: number;
  /** Bytes of messages written. */
  size: number;
  /** Number of its messages that are still retained. */
  stored: number;
}

interface Entry {
  readonly summary: MessageSummary;
  readonly segment: Segment;
  readonly offset: number;
  readonly length: number;
}

interface Arrival {
  readonly summary: MessageSummary;
  readonly raw: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

type IndexLine =
  (MessageSummary & { readonly offset: number; readonly length: number }) | { readonly removed: string };

export class MailboxStore {
  private readonly entries = new Map<string, Entry>();
  private readonly segments = new Map<number, Segment>();
  private readonly listeners = new Set<() => void>();
  private readonly capacity: number;
  private readonly segmentBytes: number;
  private arrivals: Arrival[] = [];
  private current: { segment: Segment; messages: FileHandle; index: FileHandle } | undefined;
  private nextNumber = 1;
  /** Serialises all file operations. */
  private lastOperation: Promise<unknown> = Promise.resolve();

  /** Opens the folder, creating it if needed, and reads its contents. */
  constructor(
    private readonly folder: string,
    options: StoreOptions = {},
  ) {
    this.capacity = options.capacity ?? 20_000;
    this.segmentBytes = options.segmentBytes ?? 64 * 1024 * 1024;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const numbers = readdirSync(folder)
      .flatMap((name) => /^(\d+)\.index$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
    for (const number of numbers) this.load(number);
    this.nextNumber = (numbers.at(-1) ?? 0) + 1;
    this.forgetOldest();
  }

  get count(): number {
    return this.entries.size;
  }

  /** Resolves when the operating system has the message. */
  add(summary: MessageSummary, raw: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.arrivals.push({ summary, raw, resolve, reject });
      if (this.arrivals.length === 1) void this.inOrder(() => this.writeArrivals());
    });
  }

  /** Lists the newest messages first. The sender, recipient or subject must contain each searched word. */
  list(search: string, limit: number): MessageSummary[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const found: MessageSummary[] = [];
    for (const { summary } of [...this.entries.values()].reverse()) {
      if (found.length >= limit) break;
      const text =
        words.length === 0 ? '' : `${summary.from}\n${summary.to}\n${summary.subject}`.toLowerCase();
      if (words.every((word) => text.includes(word))) found.push(summary);
    }
    return found;
  }

  /** Undefined if the message is not, or no longer, stored. */
  async read(id: string): Promise<{ summary: MessageSummary; raw: Buffer } | undefined> {
    const entry = this.entries.get(id);
    if (entry === undefined) return undefined;
    const raw = Buffer.alloc(entry.length);
    let file: FileHandle;
    try {
      file = await open(this.path(entry.segment, 'messages'), 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // The mailbox was just emptied.
      throw error;
    }
    try {
      await file.read(raw, 0, entry.length, entry.offset);
    } finally {
      await file.close();
    }
    return { summary: entry.summary, raw };
  }

  /** Whether the message existed. */
  remove(id: string): Promise<boolean> {
    return this.inOrder(async () => {
      const entry = this.entries.get(id);
      if (entry === undefined) return false;
      const { index } = await this.writable();
      // Written to the newest index: indexes are read in order, so the removal comes after the message itself.
      await index.write(lineOf({ removed: id }));
      this.forget(entry);
      this.announce();
      return true;
    });
  }

  clear(): Promise<void> {
    return this.inOrder(async () => {
      await this.closeCurrent();
      this.entries.clear();
      const segments = [...this.segments.values()];
      this.segments.clear();
      // Delete the oldest first: after a crash in between, messages whose removal is recorded in a later file must not
      // reappear.
      for (const segment of segments) await this.deleteFiles(segment);
      this.announce();
    });
  }

  /** Calls back after every change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Waits for pending writes. */
  close(): Promise<void> {
    return this.inOrder(() => this.closeCurrent());
  }

  private async writeArrivals(): Promise<void> {
    const batch = this.arrivals;
    this.arrivals = [];
    try {
      const { segment, messages, index } = await this.writable();
      const offsets: number[] = [];
      let offset = segment.size;
      for (const { raw } of batch) {
        offsets.push(offset);
        offset += raw.length;
      }
      await writeAll(
        messages,
        batch.map(({ raw }) => raw),
        segment.size,
      );
      const added = batch.map(({ summary, raw }, i): Entry => {
        return { summary, segment, offset: offsets[i] ?? 0, length: raw.length };
      });
      await index.write(
        added.map(({ summary, offset, length }) => lineOf({ ...summary, offset, length })).join(''),
      );
      segment.size = offset;
      segment.stored += added.length;
      for (const entry of added) this.entries.set(entry.summary.id, entry);
      this.forgetOldest();
      for (const { resolve: done } of batch) done();
      this.announce();
    } catch (error) {
      for (const { reject: failed } of batch) failed(error);
      // A full disk may have truncated a line: continue in new files.
      await this.closeCurrent();
    }
  }

  private async writable(): Promise<NonNullable<typeof this.current>> {
    if (this.current && this.current.segment.size < this.segmentBytes) return this.current;
    await this.closeCurrent();
    const segment: Segment = { number: this.nextNumber++, size: 0, stored: 0 };
    this.segments.set(segment.number, segment);
    const messages = await open(this.path(segment, 'messages'), 'w', 0o600);
    const index = await open(this.path(segment, 'index'), 'w', 0o600);
    this.current = { segment, messages, index };
    this.deleteEmptySegments();
    return this.current;
  }

  private load(number: number): void {
    const segment: Segment = { number, size: 0, stored: 0 };
    const messages = this.path(segment, 'messages');
    segment.size = existsSync(messages) ? statSync(messages).size : 0;
    this.segments.set(number, segment);
    for (const line of readFileSync(this.path(segment, 'index'), 'utf8').split('\n')) {
      const entry = parseLine(line);
      if (entry === undefined) continue;
      if ('removed' in entry) {
        const removed = this.entries.get(entry.removed);
        if (removed) this.forget(removed);
      } else if (entry.offset + entry.length <= segment.size) {
        const { offset, length, ...summary } = entry;
        this.entries.set(summary.id, { summary, segment, offset, length });
        segment.stored += 1;
      }
    }
  }

  private forgetOldest(): void {
    for (const entry of this.entries.values()) {
      if (this.entries.size <= this.capacity) break;
      this.forget(entry);
    }
    this.deleteEmptySegments();
  }

  private forget(entry: Entry): void {
    this.entries.delete(entry.summary.id);
    entry.segment.stored -= 1;
  }

  /** Deletes only from the oldest on: a later segment may record the removal of a message in an earlier one. */
  private deleteEmptySegments(): void {
    for (const segment of this.segments.values()) {
      if (segment.stored > 0 || segment === this.current?.segment) return;
      this.segments.delete(segment.number);
      // Segments that cannot be deleted now are found empty at the next start, which tries again.
      this.inOrder(() => this.deleteFiles(segment)).catch(() => undefined);
    }
  }

  private async deleteFiles(segment: Segment): Promise<void> {
    await rm(this.path(segment, 'index'), { force: true });
    await rm(this.path(segment, 'messages'), { force: true });
  }

  private async closeCurrent(): Promise<void> {
    const current = this.current;
    this.current = undefined;
    await current?.messages.close();
    await current?.index.close();
  }

  private inOrder<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.lastOperation.then(operation);
    // The caller gets the error; the next operation runs regardless.
    this.lastOperation = result.catch(() => undefined);
    return result;
  }

  private announce(): void {
    for (const listener of this.listeners) listener();
  }

  private path(segment: Segment, kind: 'messages' | 'index'): string {
    return join(this.folder, `${String(segment.number).padStart(8, '0')}.${kind}`);
  }
}

/** Parses a line. A crash during a write leaves a truncated line, whose message was never acknowledged. */
function parseLine(line: string): IndexLine | undefined {
  if (!line.endsWith('}')) return undefined;
  try {
    return JSON.parse(line) as IndexLine;
  } catch {
    return undefined;
  }
}

function lineOf(line: IndexLine): string {
  return `${JSON.stringify(line)}\n`;
}

async function writeAll(file: FileHandle, parts: readonly Buffer[], position: number): Promise<void> {
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  const { bytesWritten } = await file.writev(parts, position);
  if (bytesWritten !== total) throw new Error(`only ${bytesWritten} of ${total} bytes could be written`);
}
