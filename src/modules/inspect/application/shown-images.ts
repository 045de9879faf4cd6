/**
 * The fetched images of a message, for the screenshots of one run, in memory until the run ends. A browser decodes
 * them, so only data that its first bytes identify as an image of known size is included.
 *
 * Bounds: MAX_IMAGES, MOST_BYTES together, MAX_PIXELS of each and MAX_TOTAL_PIXELS; images beyond them are left
 * out.
 */
import type { PageImage } from '../../../platform/browser/page-order.js';
import { readImageHeader, type ImageHeader, type ImageType } from '../domain/resources/image-header.js';

const MAX_IMAGES = 60;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_PIXELS = 20_000_000;
const MAX_TOTAL_PIXELS = 100_000_000;

/**
 * The image types that are shown, with their media types. Few email clients show other types, or their size is not
 * known early.
 */
const MEDIA_TYPES: Readonly<Partial<Record<ImageType, string>>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
};

export class ShownImages {
  private readonly images = new Map<string, PageImage>();
  private bytes = 0;
  private pixels = 0;

  /** By address, as a browser requests it. */
  get byAddress(): ReadonlyMap<string, PageImage> {
    return this.images;
  }

  /** Stores an image, if it may be shown and the bounds allow it. */
  add(address: string, image: Buffer): void {
    const key = asRequested(address);
    const header = readImageHeader(image);
    const mediaType = header && MEDIA_TYPES[header.type];
    const pixels = pixelsOf(header);
    if (!mediaType || pixels === 0 || pixels > MAX_PIXELS || this.images.has(key)) return;
    const isFull =
      this.images.size >= MAX_IMAGES ||
      this.bytes + image.length > MAX_BYTES ||
      this.pixels + pixels > MAX_TOTAL_PIXELS;
    if (isFull) return;
    this.images.set(key, { mediaType, bytes: image });
    this.bytes += image.length;
    this.pixels += pixels;
  }
}

/** Whether an image with this header may be shown. */
export function isShown(header: ImageHeader): boolean {
  const pixels = pixelsOf(header);
  return MEDIA_TYPES[header.type] !== undefined && pixels > 0 && pixels <= MAX_PIXELS;
}

function pixelsOf(header: ImageHeader | null): number {
  return (header?.width ?? 0) * (header?.height ?? 0);
}

/** Browsers request an address without its fragment. */
function asRequested(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}
