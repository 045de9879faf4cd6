/**
 * A browser page that displays a message without network access. It runs no scripts, and every request is blocked
 * except for the page itself and the images passed with it. It is served under a host name that does not exist, with a
 * policy that allows nothing. The browser's own restrictions (browser.ts) apply in addition.
 */
import type { CDPSession, Page, Protocol } from 'puppeteer-core';
import {
  PageFault,
  type PageImage,
  type PageScreenshot,
  type PageSnapshot,
  type PageView,
} from './page-order.js';

const ADDRESS = 'http://message.invalid/';
const POLICY =
  "default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";
/** Height of the viewport in CSS pixels. */
const VIEW_HEIGHT = 800;
/** Maximum height of a picture in CSS pixels; the rest is cut off. */
export const MAX_SCREENSHOT_HEIGHT = 2_500;
/** Maximum size of a picture in bytes. A larger one is captured again with lower quality and height. */
const MAX_SCREENSHOT_BYTES = 400 * 1024;
const QUALITIES = [
  { quality: 60, share: 1 },
  { quality: 40, share: 1 },
  { quality: 30, share: 0.5 },
  { quality: 20, share: 0.2 },
] as const;

export class SealedPage {
  private html = '';
  private images: ReadonlyMap<string, PageImage> = new Map();
  private view: PageView | null = null;
  private height = 0;

  private constructor(
    private readonly page: Page,
    private readonly devtools: CDPSession,
    private readonly maxActionMs: number,
  ) {}

  /** @param maxActionMs maximum milliseconds of real time for each operation of the page. */
  static async open(page: Page, maxActionMs: number): Promise<SealedPage> {
    await page.setJavaScriptEnabled(false);
    const devtools = await page.createCDPSession();
    const sealed = new SealedPage(page, devtools, maxActionMs);
    devtools.on('Fetch.requestPaused', (event) => void sealed.respond(event));
    await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    return sealed;
  }

  /**
   * Displays a message.
   * @param images images that it may load, by URL.
   */
  async show(html: string, view: PageView, images: ReadonlyMap<string, PageImage>): Promise<void> {
    this.html = html;
    this.images = images;
    await this.setView(view);
    await this.withTimeout(this.page.goto(ADDRESS, { waitUntil: 'load', timeout: 0 }));
  }

  /** Changes the view of the displayed message without loading it again. */
  async setView(view: PageView): Promise<void> {
    await this.resize(view.width, VIEW_HEIGHT);
    if (this.view?.prefersDark !== view.prefersDark)
      await this.devtools.send('Emulation.setEmulatedMedia', {
        media: 'screen',
        features: [{ name: 'prefers-color-scheme', value: view.prefersDark ? 'dark' : 'light' }],
      });
    this.view = view;
  }

  private async resize(width: number, height: number): Promise<void> {
    if (this.view?.width === width && this.height === height) return;
    this.height = height;
    const size = { width, height, deviceScaleFactor: 1, mobile: false };
    await this.withTimeout(this.devtools.send('Emulation.setDeviceMetricsOverride', size));
  }

  /**
   * The tree of the page with the values of these styles.
   * @param scrolls whether to include scrollable areas, which doubles the time.
   */
  async snapshot(styles: readonly string[], scrolls = true): Promise<PageSnapshot> {
    return this.withTimeout(
      this.devtools.send('DOMSnapshot.captureSnapshot', {
        computedStyles: [...styles],
        includeDOMRects: scrolls,
      }),
    );
  }

  /**
   * Captures the page from its top.
   * @param height height of the page in CSS pixels, of which at most MAX_SCREENSHOT_HEIGHT are captured.
   * @throws PageFault if every picture exceeds MAX_SCREENSHOT_BYTES.
   */
  async screenshot(height: number): Promise<PageScreenshot> {
    const width = this.view?.width ?? 0;
    const fullHeight = Math.max(1, Math.min(MAX_SCREENSHOT_HEIGHT, Math.ceil(height)));
    for (const { quality, share } of QUALITIES) {
      const visibleHeight = Math.max(1, Math.ceil(fullHeight * share));
      // Resize the viewport to the picture: a picture larger than the viewport would be laid out and drawn again.
      await this.resize(width, visibleHeight);
      const { data } = await this.withTimeout(
        this.devtools.send('Page.captureScreenshot', { format: 'jpeg', quality, optimizeForSpeed: true }),
      );
      const image = Buffer.from(data, 'base64');
      if (image.length <= MAX_SCREENSHOT_BYTES)
        return {
          width,
          height: visibleHeight,
          mediaType: 'image/jpeg',
          image,
          cut: visibleHeight < Math.ceil(height),
        };
    }
    throw new PageFault('The screenshot is too large.');
  }

  /** Answers a request of the page. Errors are ignored, because the page may be gone. */
  private async respond({
    requestId,
    request,
    resourceType,
  }: Protocol.Fetch.RequestPausedEvent): Promise<void> {
    const image = this.images.get(request.url);
    try {
      if (request.url === ADDRESS && resourceType === 'Document')
        await this.devtools.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: 200,
          responseHeaders: [
            { name: 'content-type', value: 'text/html; charset=utf-8' },
            { name: 'content-security-policy', value: POLICY },
            { name: 'x-dns-prefetch-control', value: 'off' },
          ],
          body: Buffer.from(this.html).toString('base64'),
        });
      else if (image && resourceType === 'Image')
        await this.devtools.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: 200,
          responseHeaders: [{ name: 'content-type', value: image.mediaType }],
          body: Buffer.from(image.bytes).toString('base64'),
        });
      // Aborting a navigation leaves the page where it is.
      else await this.devtools.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    } catch {
      return;
    }
  }

  /** @throws PageFault if it takes longer than an operation of a page may. */
  private async withTimeout<T>(action: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fault = new PageFault(`A page took longer than ${this.maxActionMs / 1_000} s.`);
      timer = setTimeout(() => reject(fault), this.maxActionMs);
    });
    try {
      return await Promise.race([action, late]);
    } finally {
      clearTimeout(timer);
      action.catch(() => undefined);
    }
  }
}
