/**
 * A page of the browser that shows a message and can reach nothing: it runs no scripts, and every request it makes is refused
 * but for itself and the images that are given with it. What it shows is served under an address that no name server knows,
 * with a policy that allows nothing; behind it stand the browser's own bounds (browser.ts).
 */
import type { CDPSession, Page, Protocol } from 'puppeteer-core';
import {
  PageFault,
  type PageImage,
  type PagePicture,
  type PageSnapshot,
  type PageView,
} from './page-order.js';

const ADDRESS = 'http://message.invalid/';
const POLICY =
  "default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";
/** CSS pixels of what is seen of a page at once. */
const VIEW_HEIGHT = 800;
/** CSS pixels behind which a picture is cut. */
export const TALLEST_PICTURE = 2_500;
/** Bytes of a picture; a larger one is made again, worse and shorter. */
const MOST_PICTURE_BYTES = 400 * 1024;
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
    private readonly longest: number,
  ) {}

  /** @param longest milliseconds of real time that each act of the page may take. */
  static async open(page: Page, longest: number): Promise<SealedPage> {
    await page.setJavaScriptEnabled(false);
    const devtools = await page.createCDPSession();
    const sealed = new SealedPage(page, devtools, longest);
    devtools.on('Fetch.requestPaused', (event) => void sealed.answer(event));
    await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    return sealed;
  }

  /**
   * Shows a message.
   * @param images what it may show, by their addresses.
   */
  async show(html: string, view: PageView, images: ReadonlyMap<string, PageImage>): Promise<void> {
    this.html = html;
    this.images = images;
    await this.look(view);
    await this.inTime(this.page.goto(ADDRESS, { waitUntil: 'load', timeout: 0 }));
  }

  /** Looks at what is shown in another way, without loading it anew. */
  async look(view: PageView): Promise<void> {
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
    await this.inTime(this.devtools.send('Emulation.setDeviceMetricsOverride', size));
  }

  /**
   * The tree of the page with the values of these styles.
   * @param scrolls whether it tells of what can be scrolled, which takes as long again.
   */
  async snapshot(styles: readonly string[], scrolls = true): Promise<PageSnapshot> {
    return this.inTime(
      this.devtools.send('DOMSnapshot.captureSnapshot', {
        computedStyles: [...styles],
        includeDOMRects: scrolls,
      }),
    );
  }

  /**
   * A picture of the page from its top.
   * @param height CSS pixels of the page, of which TALLEST_PICTURE are shown.
   * @throws PageFault where no picture has fewer than MOST_PICTURE_BYTES.
   */
  async picture(height: number): Promise<PagePicture> {
    const width = this.view?.width ?? 0;
    const tall = Math.max(1, Math.min(TALLEST_PICTURE, Math.ceil(height)));
    for (const { quality, share } of QUALITIES) {
      const shown = Math.max(1, Math.ceil(tall * share));
      // What is seen at once is drawn once; a picture of more than that is laid out and drawn anew.
      await this.resize(width, shown);
      const { data } = await this.inTime(
        this.devtools.send('Page.captureScreenshot', { format: 'jpeg', quality, optimizeForSpeed: true }),
      );
      const image = Buffer.from(data, 'base64');
      if (image.length <= MOST_PICTURE_BYTES)
        return { width, height: shown, mediaType: 'image/jpeg', image, cut: shown < Math.ceil(height) };
    }
    throw new PageFault('The screenshot is too large.');
  }

  /** A page that is gone answers nobody. */
  private async answer({
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
      // A navigation that is aborted leaves the page where it is.
      else await this.devtools.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    } catch {
      return;
    }
  }

  /** @throws PageFault where it takes longer than a page may. */
  private async inTime<T>(act: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fault = new PageFault(`A page took longer than ${this.longest / 1_000} s.`);
      timer = setTimeout(() => reject(fault), this.longest);
    });
    try {
      return await Promise.race([act, late]);
    } finally {
      clearTimeout(timer);
      act.catch(() => undefined);
    }
  }
}
