/**
 * The operator's Chromium (BROWSER_PATH), for pictures and measures of messages: one process, started when it is first needed
 * and again when it has died, has shown many pages or has been idle. Owners take turns with its few pages; whoever takes too
 * long is cut off, and takes nobody else along where the browser obeys.
 */
import type { Logger } from 'pino';
import type { BrowserContext } from 'puppeteer-core';
import { awaitTurn, isTurn } from '../threads/awaited-turn.js';
import { Turns, type Turn } from '../threads/turns.js';
import { BrowserProcess } from './browser-process.js';
import { BrowserFault, PageFault } from './page-order.js';
import { SealedPage } from './sealed-page.js';

export interface BrowserSettings {
  /** Pages at once. */
  readonly pages: number;
  readonly pagesOfOne: number;
  readonly waiting: number;
  readonly waitingOfOne: number;
  /** Milliseconds of real time that a run may wait, and that it may take. */
  readonly patience: number;
  readonly longestRun: number;
  /** Milliseconds of real time that a page may take to load, to be measured or to be pictured. */
  readonly longestAct: number;
  /** Runs behind which the process is replaced, and milliseconds without any behind which it ends. */
  readonly mostRuns: number;
  readonly idle: number;
  /** Bytes of memory of the process with its children. */
  readonly memory: number;
}

export const BROWSER_SETTINGS: BrowserSettings = {
  pages: 2,
  pagesOfOne: 1,
  waiting: 64,
  waitingOfOne: 16,
  patience: 120_000,
  longestRun: 40_000,
  longestAct: 10_000,
  mostRuns: 200,
  idle: 120_000,
  memory: 1.5 * 1024 * 1024 * 1024,
};

/** Pages of one run, which show what they are given at the same time. */
const PAGES_OF_RUN = 2;
/** How often memory is looked at while there are pages, in milliseconds. */
const LOOK_MS = 500;
/** Milliseconds that a page may take to close before the process is ended. */
const CLOSE_MS = 3_000;

/** What is done with a page; `open` gives another beside it. */
export type PageWork<T> = (page: SealedPage, open: () => Promise<SealedPage>) => Promise<T>;

export class Browser {
  private readonly turns: Turns;
  private process: Promise<BrowserProcess> | null = null;
  private runs = 0;
  private running = 0;
  private idle: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;
  private closing = false;

  /** @param path of the program; undefined where the operator has given none. */
  constructor(
    private readonly path: string | undefined,
    private readonly logger: Logger,
    private readonly settings: BrowserSettings = BROWSER_SETTINGS,
  ) {
    const { pages, pagesOfOne, waiting, waitingOfOne } = settings;
    this.turns = new Turns(
      { running: pages, waiting, waitingBytes: Infinity },
      { running: pagesOfOne, waiting: waitingOfOne, waitingBytes: Infinity },
    );
  }

  /** Whether there is a browser to be asked. */
  get isConfigured(): boolean {
    return this.path !== undefined;
  }

  /**
   * Works with a page, which closes when the work is done.
   * @param owner whose work it is; owners take turns.
   * @param work may open more pages beside its first, PAGES_OF_RUN in all.
   * @throws BrowserFault when it is missing, does not start, dies, or is asked for by too many; PageFault when the work takes
   *   too long or the page's process dies; the signal's reason when it is aborted.
   */
  async run<T>(owner: string, signal: AbortSignal, work: PageWork<T>): Promise<T> {
    const turn = await this.turnOf(owner, signal);
    clearTimeout(this.idle);
    this.running++;
    try {
      return await this.onPage(signal, work);
    } finally {
      this.running--;
      turn.leave();
      await this.afterRun();
    }
  }

  /** Ends the process; work under way fails. */
  async close(): Promise<void> {
    this.closing = true;
    clearTimeout(this.idle);
    await this.end();
  }

  private async onPage<T>(signal: AbortSignal, work: PageWork<T>): Promise<T> {
    const process = await this.started();
    const end = new Ending(signal, this.settings.longestRun);
    const contexts: BrowserContext[] = [];
    let pages = 0;
    process.chromium.once('disconnected', end.onDisconnected);
    try {
      const open = async (): Promise<SealedPage> => {
        if (++pages > PAGES_OF_RUN) throw new RangeError('The run has opened its maximum number of pages.');
        // A context of its own has a process of its own.
        const context = await process.chromium.createBrowserContext();
        contexts.push(context);
        if (end.isReached) throw new PageFault('The page was cancelled before it started.');
        const page = await context.newPage();
        page.once('error', end.onCrash);
        return SealedPage.open(page, this.settings.longestAct);
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
      await this.closed(process, contexts);
    }
  }

  /** Closes what a run has used; a browser that does not obey is ended. */
  private async closed(process: BrowserProcess, contexts: readonly BrowserContext[]): Promise<void> {
    if (contexts.length === 0 || !process.connected) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), CLOSE_MS)));
    const closing = Promise.all(contexts.map((context) => context.close())).catch(() => 'late' as const);
    const outcome = await Promise.race([closing, late]);
    clearTimeout(timer);
    if (outcome !== 'late') return;
    this.logger.warn('The browser did not close a page and was stopped');
    await process.end();
  }

  private async started(): Promise<BrowserProcess> {
    if (this.closing) throw new BrowserFault('The service is shutting down.');
    if (this.path === undefined) throw new BrowserFault('No browser is configured: BROWSER_PATH is not set.');
    const known = this.process;
    const last = await known?.catch(() => null);
    if (last?.connected) return last;
    // Whoever came first while we waited has started another.
    if (this.process !== known) return this.started();
    const starting = BrowserProcess.start(this.path);
    this.process = starting;
    this.runs = 0;
    if (last) await last.end();
    const process = await starting;
    this.watch ??= setInterval(() => void this.lookAtMemory(), LOOK_MS).unref();
    return process;
  }

  private async lookAtMemory(): Promise<void> {
    const process = await this.process?.catch(() => null);
    if (!process?.connected || this.running === 0) return;
    const bytes = await process.memory();
    if (bytes <= this.settings.memory) return;
    this.logger.warn({ bytes }, 'The browser used too much memory and was stopped');
    await process.end();
  }

  private async afterRun(): Promise<void> {
    this.runs++;
    if (this.running > 0) return;
    if (this.runs >= this.settings.mostRuns) await this.end();
    else {
      this.idle = setTimeout(() => void this.end(), this.settings.idle);
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

  private async turnOf(owner: string, signal: AbortSignal): Promise<Turn> {
    const { patience } = this.settings;
    const turn = await awaitTurn(this.turns, { owner, patience, signal });
    if (isTurn(turn)) return turn;
    if (turn === 'full') throw new BrowserFault('Too many pages are waiting for the browser.');
    if (turn === 'late') throw tookLonger(patience);
    throw signal.reason;
  }
}

/** What ends a run before its work does. */
class Ending {
  readonly reached: Promise<never>;
  isReached = false;
  private fail: (reason: Error) => void = () => undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly signal: AbortSignal,
    longest: number,
  ) {
    this.reached = new Promise((_, reject) => {
      this.fail = (reason) => {
        this.isReached = true;
        reject(reason);
      };
    });
    this.reached.catch(() => undefined);
    this.timer = setTimeout(() => this.fail(tookLonger(longest)), longest);
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

/** @param longest milliseconds. */
function tookLonger(longest: number): PageFault {
  return new PageFault(`It took longer than ${longest / 1_000} s.`);
}
