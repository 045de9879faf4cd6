/**
 * Renderings of a message in the mail programs of a workspace (section 4.7, full runs): what each leaves of it, which needs no
 * browser, and where the operator has given one, how it comes out: measured, and in pictures of light and dark, as wide as a
 * phone and as a desk.
 *
 * Bounds: the browser's own (platform/browser); MOST_SCREENSHOTS pictures of a run, the rest is told.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Browser } from '../../../platform/browser/browser.js';
import { BrowserFault, PageFault, type PageImage } from '../../../platform/browser/page-order.js';
import type { SealedPage } from '../../../platform/browser/sealed-page.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Threads } from '../../../platform/threads/threads.js';
import type { RenderedMessage, SourcePiece } from '../domain/analysis/analysis.js';
import type { CheckOutcome } from '../domain/runs/check.js';
import { RENDER } from '../domain/inspect-tasks.js';
import type { RenderClient } from '../domain/rendering/render-client.js';
import { WHITE } from '../domain/email/colour.js';
import { DARK_CANVAS } from '../domain/rendering/dark-colours.js';
import { measuredFindings } from '../domain/rendering/measured-findings.js';
import { MEASURED_STYLES, measuredPage } from '../domain/rendering/measured-page.js';
import { Findings, RenderedSource } from '../domain/rendering/rendered-source.js';
import { MOST_RENDERED, type Page, type Renderings } from '../domain/rendering/renderings.js';
import type { RuleFinding } from '../domain/findings/finding.js';
import {
  COLOUR_SCHEMES,
  DEVICE_WIDTHS,
  DEVICES,
  MOST_SCREENSHOTS,
  type ColourScheme,
  type Device,
  type Screenshot,
} from '../domain/runs/screenshot.js';

export interface RenderedContent {
  readonly message: RenderedMessage;
  readonly pieces: readonly SourcePiece[];
  /** The body as it is stored, whose places findings name. */
  readonly bodyHtml: string;
}

export interface RenderingOutcome {
  /** One of `rendering`, one of `screenshots`. */
  readonly outcomes: readonly CheckOutcome[];
  readonly screenshots: readonly Screenshot[];
}

/** What makes a browser lay a dark page behind a message. */
const SUITS_DARK = /name="?color-scheme"?[^>]{0,80}dark|[\s;{]color-scheme\s*:[^;}]{0,40}dark/i;

const NO_IMAGES: ReadonlyMap<string, PageImage> = new Map();
const TOO_LARGE = `The message is too large to be rendered: it has more than ${MOST_RENDERED / 1_000_000} million characters, or too many elements.`;
const NO_BROWSER =
  'No browser is configured (BROWSER_PATH), so there are no pictures and nothing was measured.';

/** What the browser has come to before it was done, or failed. */
interface Looked {
  readonly findings: readonly RuleFinding[];
  readonly screenshots: readonly Screenshot[];
  readonly fault: string | null;
}

@Injectable()
export class RenderingChecks {
  constructor(
    private readonly threads: Threads,
    private readonly browser: Browser,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Whether there is a browser that makes pictures. */
  get makesPictures(): boolean {
    return this.browser.isConfigured;
  }

  /**
   * Renders a message.
   * @param clients whose pages are made.
   * @param images what pictures may show, by address; all others are blocked, and what is measured is measured without any.
   * @throws DomainError as Threads.run; the signal's reason when it is aborted. A browser that fails is told in the outcome.
   */
  async check(
    scope: WorkspaceScope,
    { message, pieces, bodyHtml }: RenderedContent,
    clients: readonly RenderClient[],
    signal: AbortSignal,
    images = NO_IMAGES,
  ): Promise<RenderingOutcome> {
    const work = { html: message.html, pieces, bodyHtml, clients };
    const { pages, findings } = await this.threads.run(scope.workspaceId, RENDER, work);
    signal.throwIfAborted();
    if (pages.length === 0 && clients.length > 0) return failed(TOO_LARGE);
    if (!this.browser.isConfigured) return unseen(findings, NO_BROWSER);
    const source = new RenderedSource(message.html, pieces, bodyHtml);
    const looked = await this.look(scope, { pages, findings }, source, images, signal);
    const all = [...findings, ...looked.findings];
    const { screenshots, fault } = looked;
    return {
      outcomes: [
        {
          name: 'rendering',
          status: 'done',
          detail: fault && `Not all was measured: ${fault}`,
          findings: all,
        },
        {
          name: 'screenshots',
          status: fault === null ? 'done' : 'failed',
          detail: fault,
          findings: [],
        },
      ],
      screenshots,
    };
  }

  private async look(
    { workspaceId }: WorkspaceScope,
    { pages }: Renderings,
    source: RenderedSource,
    images: ReadonlyMap<string, PageImage>,
    signal: AbortSignal,
  ): Promise<Looked> {
    const findings = new Findings(source);
    const screenshots: Screenshot[] = [];
    const outcome = (fault: string | null): Looked => ({ findings: findings.list(), screenshots, fault });
    try {
      await this.browser.run(workspaceId, signal, async (sealed) => {
        for (const page of pages) await lookAt(sealed, page, images, findings, screenshots);
      });
      return outcome(null);
    } catch (error) {
      if (!(error instanceof BrowserFault) && !(error instanceof PageFault)) {
        signal.throwIfAborted();
        this.logger.warn({ err: error }, 'A message could not be rendered in the browser');
        return outcome('The browser could not show the message.');
      }
      return outcome(error.message);
    }
  }
}

/** Measures a page with images blocked, on each device once, and takes its pictures, with the images that there are. */
async function lookAt(
  sealed: SealedPage,
  page: Page,
  images: ReadonlyMap<string, PageImage>,
  findings: Findings,
  screenshots: Screenshot[],
): Promise<void> {
  const { html, prefersDark, uses } = page;
  const isBare = images.size === 0;
  for (const device of DEVICES) {
    await lookOn(sealed, device, page, NO_IMAGES);
    const width = DEVICE_WIDTHS[device];
    const snapshot = await sealed.snapshot(MEASURED_STYLES);
    const measured = measuredPage(snapshot, prefersDark && SUITS_DARK.test(html) ? DARK_CANVAS : WHITE);
    for (const scheme of COLOUR_SCHEMES) {
      const clients = clientsOf(uses, scheme);
      if (clients.length > 0) measuredFindings(measured, { device, scheme, width, clients }, findings);
    }
    if (isBare) await takePictures(sealed, device, page, measured.height, screenshots);
  }
  for (const device of isBare ? [] : DEVICES) {
    await lookOn(sealed, device, page, images);
    const { documents } = await sealed.snapshot([]);
    await takePictures(sealed, device, page, documents[0]?.contentHeight ?? 0, screenshots);
  }
}

/** Looks at a page on a device; on the first it is loaded. */
async function lookOn(
  sealed: SealedPage,
  device: Device,
  { html, prefersDark }: Page,
  images: ReadonlyMap<string, PageImage>,
): Promise<void> {
  const view = { width: DEVICE_WIDTHS[device], prefersDark };
  await (device === DEVICES[0] ? sealed.show(html, view, images) : sealed.look(view));
}

/** One for each use of the page, where there is room. */
async function takePictures(
  sealed: SealedPage,
  device: Device,
  { uses }: Page,
  tall: number,
  screenshots: Screenshot[],
): Promise<void> {
  if (screenshots.length + uses.length > MOST_SCREENSHOTS) return;
  const { width, height, mediaType, image } = await sealed.picture(tall);
  for (const { client, scheme } of uses)
    screenshots.push({ client, scheme, device, width, height, mediaType, image });
}

/** The programs that show a page in a scheme; what is no other in the dark is looked at in the light alone. */
function clientsOf(uses: Page['uses'], scheme: ColourScheme): RenderClient[] {
  const of = (wanted: ColourScheme): RenderClient[] =>
    uses.filter((use) => use.scheme === wanted).map(({ client }) => client);
  const light = of('light');
  return scheme === 'light' ? light : of('dark').filter((client) => !light.includes(client));
}

function unseen(findings: readonly RuleFinding[], detail: string): RenderingOutcome {
  return {
    outcomes: [
      { name: 'rendering', status: 'done', detail, findings },
      { name: 'screenshots', status: 'skipped', detail, findings: [] },
    ],
    screenshots: [],
  };
}

function failed(detail: string): RenderingOutcome {
  return {
    outcomes: [
      { name: 'rendering', status: 'failed', detail, findings: [] },
      { name: 'screenshots', status: 'failed', detail, findings: [] },
    ],
    screenshots: [],
  };
}
