/**
 * Renders a message as the workspace's email clients do (section 4.7, full runs). It determines what each client
 * removes from the message, which needs no browser. If the operator has configured a browser, it also measures the
 * rendered page and takes screenshots in light and dark mode, at the width of a phone and of a desktop.
 *
 * A page that several clients or color schemes share is loaded once; two pages are processed concurrently. A client
 * that exists only on desktops, or only on phones, is measured and captured only there.
 *
 * Bounds: the browser's own (platform/browser).
 */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Browser } from '../../../platform/browser/browser.js';
import { BrowserFault, PageFault, type PageImage } from '../../../platform/browser/page-order.js';
import type { SealedPage } from '../../../platform/browser/sealed-page.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Threads } from '../../../platform/threads/threads.js';
import type { RenderedMessage, SourcePiece } from '../domain/analysis/analysis.js';
import { notRun, type CheckOutcome } from '../domain/runs/check.js';
import { RENDER } from '../domain/inspect-tasks.js';
import type { RenderClient } from '../domain/rendering/render-client.js';
import { WHITE } from '../domain/email/colour.js';
import { DARK_CANVAS } from '../domain/rendering/dark-colours.js';
import { measuredFindings } from '../domain/rendering/measured-findings.js';
import { MEASURED_STYLES, measuredPage } from '../domain/rendering/measured-page.js';
import { Findings, RenderedSource } from '../domain/rendering/rendered-source.js';
import { MAX_RENDERED_LENGTH } from '../domain/rendering/render-bounds.js';
import type { Page, PageAppearance, Renderings } from '../domain/rendering/renderings.js';
import type { RuleFinding } from '../domain/findings/finding.js';
import {
  COLOUR_SCHEMES,
  DEVICE_WIDTHS,
  DEVICES,
  sortedScreenshots,
  type ColourScheme,
  type Device,
  type Screenshot,
} from '../domain/runs/screenshot.js';

export interface RenderedContent {
  readonly message: RenderedMessage;
  readonly pieces: readonly SourcePiece[];
  /** The body as it is stored; findings refer to positions in it. */
  readonly bodyHtml: string;
  /** Bytes that delivery adds to the HTML; none if absent. */
  readonly addedBytes?: number;
}

export interface RenderingOutcome {
  /** One of `rendering`, one of `screenshots`. */
  readonly outcomes: readonly CheckOutcome[];
  readonly screenshots: readonly Screenshot[];
}

/** Matches what makes a browser put a dark page behind a message. */
const DECLARES_DARK_SCHEME = /name="?color-scheme"?[^>]{0,80}dark|[\s;{]color-scheme\s*:[^;}]{0,40}dark/i;

/** The checks that are made here. */
const CHECKS = ['rendering', 'screenshots'] as const;
const NO_IMAGES: ReadonlyMap<string, PageImage> = new Map();
const TOO_LARGE =
  `The message is too large to render: it has more than ${MAX_RENDERED_LENGTH / 1_000_000} million characters, ` +
  'or too many elements.';
const NO_CLIENTS = 'No mail programs are configured.';
const NO_BROWSER =
  'No browser is configured (BROWSER_PATH), so there are no screenshots and nothing was measured.';

/** What the browser had produced when it finished or failed. */
interface BrowserResult {
  readonly findings: readonly RuleFinding[];
  readonly screenshots: readonly Screenshot[];
  /** Screenshots that do not show the whole page. */
  readonly truncated: number;
  readonly failure: string | null;
}

@Injectable()
export class RenderingChecks implements OnModuleInit {
  constructor(
    private readonly threads: Threads,
    private readonly browser: Browser,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Node remembers a failed import, so this one must fail at startup or never. */
  async onModuleInit(): Promise<void> {
    if (this.browser.isConfigured) await import('../domain/rendering/clients.js');
  }

  /** Whether a browser is configured. */
  get canTakeScreenshots(): boolean {
    return this.browser.isConfigured;
  }

  /**
   * Renders a message.
   * @param clients the clients to render for.
   * @param images the images that screenshots may show, by address. All others are blocked, and measurements use no
   *   images.
   * @throws DomainError as Threads.run; the signal's reason when it is aborted. A failure of the browser is reported in
   *   the outcome.
   */
  async check(
    scope: WorkspaceScope,
    { message, pieces, bodyHtml, addedBytes = 0 }: RenderedContent,
    clients: readonly RenderClient[],
    signal: AbortSignal,
    images = NO_IMAGES,
  ): Promise<RenderingOutcome> {
    if (clients.length === 0) return { outcomes: notRun(CHECKS, 'skipped', NO_CLIENTS), screenshots: [] };
    const input = { html: message.html, pieces, bodyHtml, clients, addedBytes };
    const { pages, findings } = await this.threads.run(scope.workspaceId, RENDER, input);
    signal.throwIfAborted();
    if (pages.length === 0) return { outcomes: notRun(CHECKS, 'failed', TOO_LARGE), screenshots: [] };
    if (!this.browser.isConfigured) {
      const rendering: CheckOutcome = { name: 'rendering', status: 'done', detail: NO_BROWSER, findings };
      return {
        outcomes: [rendering, ...notRun(['screenshots'], 'skipped', NO_BROWSER)],
        screenshots: [],
      };
    }
    const source = new RenderedSource(message.html, pieces, bodyHtml);
    const browserResult = await this.renderInBrowser(scope, { pages, findings }, source, images, signal);
    const all = [...findings, ...browserResult.findings];
    const { screenshots, truncated, failure } = browserResult;
    return {
      outcomes: [
        {
          name: 'rendering',
          status: 'done',
          detail: failure && `Not everything was measured: ${failure}`,
          findings: all,
        },
        {
          name: 'screenshots',
          status: failure === null ? 'done' : 'failed',
          detail: failure ?? truncationMessage(truncated, screenshots),
          findings: [],
        },
      ],
      screenshots,
    };
  }

  private async renderInBrowser(
    { workspaceId }: WorkspaceScope,
    { pages }: Renderings,
    source: RenderedSource,
    images: ReadonlyMap<string, PageImage>,
    signal: AbortSignal,
  ): Promise<BrowserResult> {
    const pageResults = pages.map((page): PageResult => ({
      page,
      findings: new Findings(source),
      screenshots: [],
      truncated: 0,
    }));
    const outcome = (failure: string | null): BrowserResult => {
      const findings = new Findings(source);
      const screenshots: Screenshot[] = [];
      // In the order of the pages, not in the order in which they finished.
      for (const each of pageResults) {
        findings.addAll(each.findings);
        screenshots.push(...each.screenshots);
      }
      const truncated = pageResults.reduce((sum, each) => sum + each.truncated, 0);
      return { findings: findings.list(), screenshots: sortedScreenshots(screenshots), truncated, failure };
    };
    try {
      await this.browser.run(workspaceId, signal, async (first, open) => {
        const waiting = [...pageResults];
        const checkPages = async (browserPage: SealedPage): Promise<void> => {
          for (let next = waiting.shift(); next; next = waiting.shift())
            await checkPage(browserPage, next, images);
        };
        await Promise.all([checkPages(first), waiting.length > 1 ? open().then(checkPages) : undefined]);
      });
      return outcome(null);
    } catch (error) {
      if (!(error instanceof BrowserFault) && !(error instanceof PageFault)) {
        signal.throwIfAborted();
        this.logger.warn({ err: error }, 'A message could not be rendered in the browser');
        return outcome('The browser could not render the message.');
      }
      return outcome(error.message);
    }
  }
}

/** The results of a page. */
interface PageResult {
  readonly page: Page;
  readonly findings: Findings;
  readonly screenshots: Screenshot[];
  /** Screenshots that do not show all of it. */
  truncated: number;
}

/** A page on one device, for the clients that show it so. */
interface View {
  readonly device: Device;
  readonly prefersDark: boolean;
  readonly uses: PageAppearance['uses'];
}

async function viewsOf({ appearances }: Page): Promise<View[]> {
  const { CLIENTS } = await import('../domain/rendering/clients.js');
  return DEVICES.flatMap((device) =>
    appearances.map(({ prefersDark, uses }) => ({
      device,
      prefersDark,
      uses: uses.filter(({ client }) => CLIENTS[client].devices.includes(device)),
    })),
  ).filter(({ uses }) => uses.length > 0);
}

/**
 * Measures a page with images blocked, and takes its screenshots with the available images, in each of its views. The
 * page is loaded once for measuring and once for screenshots.
 */
async function checkPage(
  browserPage: SealedPage,
  result: PageResult,
  images: ReadonlyMap<string, PageImage>,
): Promise<void> {
  const { html } = result.page;
  const views = await viewsOf(result.page);
  const hasNoImages = images.size === 0;
  for (const [index, view] of views.entries()) {
    await showView(browserPage, html, view, index === 0, NO_IMAGES);
    const height = await measure(browserPage, result, view);
    if (hasNoImages) await takeScreenshot(browserPage, result, view, height);
  }
  for (const [index, view] of hasNoImages ? [] : views.entries()) {
    await showView(browserPage, html, view, index === 0, images);
    const { documents } = await browserPage.snapshot([], false);
    await takeScreenshot(browserPage, result, view, documents[0]?.contentHeight ?? 0);
  }
}

async function showView(
  browserPage: SealedPage,
  html: string,
  { device, prefersDark }: View,
  isFirst: boolean,
  images: ReadonlyMap<string, PageImage>,
): Promise<void> {
  const view = { width: DEVICE_WIDTHS[device], prefersDark };
  await (isFirst ? browserPage.show(html, view, images) : browserPage.setView(view));
}

/** @returns the height of the page, in pixels. */
async function measure(
  browserPage: SealedPage,
  { page, findings }: PageResult,
  { device, prefersDark, uses }: View,
): Promise<number> {
  // In dark mode, only colors are judged.
  const isLight = uses.some(({ scheme }) => scheme === 'light');
  const snapshot = await browserPage.snapshot(MEASURED_STYLES, isLight);
  const measured = measuredPage(
    snapshot,
    prefersDark && DECLARES_DARK_SCHEME.test(page.html) ? DARK_CANVAS : WHITE,
  );
  const width = DEVICE_WIDTHS[device];
  for (const scheme of COLOUR_SCHEMES) {
    const clients = clientsOf(uses, scheme);
    if (clients.length > 0) measuredFindings(measured, { device, scheme, width, clients }, findings);
  }
  return measured.height;
}

/** Takes one screenshot for each use of the page. */
async function takeScreenshot(
  browserPage: SealedPage,
  result: PageResult,
  { device, uses }: View,
  contentHeight: number,
): Promise<void> {
  const { width, height, mediaType, image, cut } = await browserPage.screenshot(contentHeight);
  for (const { client, scheme } of uses)
    result.screenshots.push({ client, scheme, device, width, height, mediaType, image });
  if (cut) result.truncated += uses.length;
}

/**
 * The clients that show a page in a color scheme. A page that is the same in dark mode is checked in light mode only.
 */
function clientsOf(uses: PageAppearance['uses'], scheme: ColourScheme): RenderClient[] {
  const clientsIn = (requested: ColourScheme): RenderClient[] =>
    uses.filter((use) => use.scheme === requested).map(({ client }) => client);
  const light = clientsIn('light');
  return scheme === 'light' ? light : clientsIn('dark').filter((client) => !light.includes(client));
}

/** A message that says how many screenshots do not show all, and where they end; null if all do. */
function truncationMessage(truncated: number, screenshots: readonly Screenshot[]): string | null {
  if (truncated === 0) return null;
  const tallest = Math.max(...screenshots.map(({ height }) => height));
  return (
    `${truncated} of ${screenshots.length} screenshots are cut at ${tallest.toLocaleString('en')} pixels because ` +
    'the message is longer.'
  );
}
