/**
 * The operator's Chromium (BROWSER_PATH), for screenshots and measurements of messages. One process, started on first
 * use and restarted after a crash, after many pages or after an idle period. Owners share its few pages in turn. A run
 * that takes too long is aborted, without affecting other runs as long as the browser responds.
 */
import type { Logger } from 'pino';
import type { BrowserContext } from 'puppeteer-core';
import type { Permit } from '../concurrency/fair-queue.js';
import { FairSemaphore, isPermit } from '../concurrency/fair-semaphore.js';
import { BrowserProcess } from './browser-process.js';
import { BrowserFault, PageFault } from './page-order.js';
import { SealedPage } from './sealed-page.js';

export interface BrowserSettings {
  /** Maximum concurrent pages. */
  readonly pages: number;
  readonly pagesPerOwner: number;
  readonly waiting: number;
  readonly waitingPerOwner: number;
  /** Maximum wait for a run, and maximum duration of a run, in milliseconds of real time. */
  readonly maxWaitMs: number;
  readonly maxRunMs: number;
  /** Maximum time to load, measure or capture a page, in milliseconds of real time. */
  readonly maxActionMs: number;
  /** Number of runs after which the process is replaced, and idle milliseconds after which it ends. */
  readonly maxRuns: number;
  readonly idleMs: number;
  /** Maximum memory of the process and its children, in bytes. */
  readonly maxMemoryBytes: number;
}

export const BROWSER_SETTINGS: BrowserSettings = {
  pages: 2,
  pagesPerOwner: 1,
  waiting: 64,
  waitingPerOwner: 16,
  maxWaitMs: 120_000,
  maxRunMs: 40_000,
  maxActionMs: 10_000,
  maxRuns: 200,
  idleMs: 120_000,
  maxMemoryBytes: 1.5 * 1024 * 1024 * 1024,
};

/** Maximum pages of one run, which load concurrently. */
const MAX_PAGES_PER_RUN = 2;
/** Milliseconds between two memory checks while pages are open. */
const MEMORY_CHECK_INTERVAL_MS = 500;
/** Milliseconds that a page may take to close before the process is killed. */
const CLOSE_TIMEOUT_MS = 3_000;

/** Work with a page; `open` opens another page. */
export type PageWork<T> = (page: SealedPage, open: () => Promise<SealedPage>) => Promise<T>;

export class Browser {
  private readonly semaphore: FairSemaphore;
  private process: Promise<BrowserProcess> | null = null;
  private runs = 0;
  private running = 0;
  private idle: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;
  private closing = false;

  /** @param path path of the program; undefined if the operator has configured none. */
  constructor(
    private readonly path: string | undefined,
    private readonly logger: Logger,
    private readonly settings: BrowserSettings = BROWSER_SETTINGS,
  ) {
    this.semaphore = new FairSemaphore({
      maxPermits: settings.pages,
      maxPerOwner: settings.pagesPerOwner,
      maxWaiting: settings.waiting,
      maxWaitingPerOwner: settings.waitingPerOwner,
      maxWaitMs: settings.maxWaitMs,
    });
  }

  get isConfigured(): boolean {
    return this.path !== undefined;
  }

  /**
   * Works with a page, which is closed when the work is done.
   * @param owner the owner of the work; owners take turns.
   * @param work may open more pages, MAX_PAGES_PER_RUN in total.
   * @throws BrowserFault if the browser is missing, does not start, crashes or has too many waiting runs; PageFault if
   *   the work takes too long or the page's process crashes; the signal's reason if it aborts.
   */
  async run<T>(owner: string, signal: AbortSignal, work: PageWork<T>): Promise<T> {
    const permit = await this.acquire(owner, signal);
    clearTimeout(this.idle);
    this.running++;
    try {
      return await this.onPage(signal, work);
    } finally {
      this.running--;
      permit.release();
      await this.afterRun();
    }
  }

  /** Ends the process. Runs in progress fail. */
  async close(): Promise<void> {
    this.closing = true;
    clearTimeout(this.idle);
    await this.end();
  }

  private async onPage<T>(signal: AbortSignal, work: PageWork<T>): Promise<T> {
    const process = await this.ensureStarted();
    const end = new RunDeadline(signal, this.settings.maxRunMs);
    const contexts: BrowserContext[] = [];
    let pages = 0;
    process.chromium.once('disconnected', end.onDisconnected);
    try {
      const open = async (): Promise<SealedPage> => {
        if (++pages > MAX_PAGES_PER_RUN)
          throw new RangeError('The run has opened its maximum number of pages.');
        // Each browser context gets its own process.
        const context = await process.chromium.createBrowserContext();
        contexts.push(context);
        if (end.isReached) throw new PageFault('The page was cancelled before it started.');
        const page = await context.newPage();
        page.once('error', end.onCrash);
        return SealedPage.open(page, this.settings.maxActionMs);
      };
      const opened = open().then((page) => work(page, open));
      opened.catch(() => undefined);
      return await Promise.race([opened, end.reached]);
    } catch (error) {
      if (!process.connected) throw new BrowserFault('The browser crashed.', { cause: error });
      throw error;
    } finally {
      end.clear();
      process.chromium.off('disconnected', end.onDisconnected);
      await this.closeContexts(process, contexts);
    }
  }

  /** Closes the contexts of a run. Kills a browser that does not respond. */
  private async closeContexts(process: BrowserProcess, contexts: readonly BrowserContext[]): Promise<void> {
    if (contexts.length === 0 || !process.connected) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>(
      (resolve) => (timer = setTimeout(() => resolve('late'), CLOSE_TIMEOUT_MS)),
    );
    const closing = Promise.all(contexts.map((context) => context.close())).catch(() => 'late' as const);
    const outcome = await Promise.race([closing, late]);
    clearTimeout(timer);
    if (outcome !== 'late') return;
    this.logger.warn('The browser did not close a page and was stopped');
    await process.end();
  }

  private async ensureStarted(): Promise<BrowserProcess> {
    if (this.closing) throw new BrowserFault('The service is shutting down.');
    if (this.path === undefined) throw new BrowserFault('No browser is configured: BROWSER_PATH is not set.');
    const known = this.process;
    const last = await known?.catch(() => null);
    if (last?.connected) return last;
    // Another caller has already started a new process.
    if (this.process !== known) return this.ensureStarted();
    const starting = BrowserProcess.start(this.path);
    this.process = starting;
    this.runs = 0;
    if (last) await last.end();
    const process = await starting;
    this.watch ??= setInterval(() => void this.checkMemory(), MEMORY_CHECK_INTERVAL_MS).unref();
    return process;
  }

  private async checkMemory(): Promise<void> {
    const process = await this.process?.catch(() => null);
    if (!process?.connected || this.running === 0) return;
    const bytes = await process.memory();
    if (bytes <= this.settings.maxMemoryBytes) return;
    this.logger.warn({ bytes }, 'The browser used too much memory and was stopped');
    await process.end();
  }

  private async afterRun(): Promise<void> {
    this.runs++;
    if (this.running > 0) return;
    if (this.runs >= this.settings.maxRuns) await this.end();
    else {
      this.idle = setTimeout(() => void this.end(), this.settings.idleMs);
      this.idle.unref();
    }
  }

  private async end(): Promise<void> {
    const process = await this.process?.catch(() => null);
    if (this.running > 0 && !this.closing) return;
    this.process = null;
    clearInterval(this.watch);
    this.watch = undefined;
    await process?.end();
  }

  private async acquire(owner: string, signal: AbortSignal): Promise<Permit> {
    const permit = await this.semaphore.acquire(owner, { signal });
    if (isPermit(permit)) return permit;
    if (permit === 'full') throw new BrowserFault('Too many pages are waiting for the browser.');
    if (permit === 'late') throw timeoutFault(this.settings.maxWaitMs);
    throw signal.reason;
  }
}

/** Signals that abort a run before its work is done. */
class RunDeadline {
  readonly reached: Promise<never>;
  isReached = false;
  private fail: (reason: Error) => void = () => undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly signal: AbortSignal,
    maxRunMs: number,
  ) {
    this.reached = new Promise((_, reject) => {
      this.fail = (reason) => {
        this.isReached = true;
        reject(reason);
      };
    });
    this.reached.catch(() => undefined);
    this.timer = setTimeout(() => this.fail(timeoutFault(maxRunMs)), maxRunMs);
    signal.addEventListener('abort', this.onAbort, { once: true });
    if (signal.aborted) this.onAbort();
  }

  readonly onCrash = (): void => this.fail(new PageFault('The page exceeded the limits of the browser.'));
  readonly onDisconnected = (): void => this.fail(new BrowserFault('The browser crashed.'));
  private readonly onAbort = (): void => this.fail(this.signal.reason as Error);

  clear(): void {
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.onAbort);
  }
}

/** @param longest the limit in milliseconds. */
function timeoutFault(longest: number): PageFault {
  return new PageFault(`It took longer than ${longest / 1_000} s.`);
}
