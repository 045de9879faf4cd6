/** The input and output of a page of the browser. */

/** How a page is displayed. */
export interface PageView {
  /** CSS pixels. */
  readonly width: number;
  /** Whether the page sees `prefers-color-scheme: dark`. */
  readonly prefersDark: boolean;
}

/** An image that the page may load. Its bytes are fetched beforehand. */
export interface PageImage {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface PageScreenshot {
  readonly width: number;
  readonly height: number;
  readonly mediaType: 'image/jpeg';
  readonly image: Uint8Array;
  /** Whether the page is taller than the picture. */
  readonly cut: boolean;
}

/** The part of the DevTools protocol's `DOMSnapshot.captureSnapshot` that is used here. */
export interface PageSnapshot {
  readonly strings: readonly string[];
  readonly documents: readonly SnapshotDocument[];
}

export interface SnapshotDocument {
  /** Width of the whole page in CSS pixels. */
  readonly contentWidth?: number;
  readonly contentHeight?: number;
  readonly nodes: {
    readonly parentIndex?: readonly number[];
    readonly nodeType?: readonly number[];
    readonly nodeName?: readonly number[];
    /** For each node, alternating names and values, as indexes into the strings. */
    readonly attributes?: readonly (readonly number[])[];
  };
  readonly layout: {
    readonly nodeIndex: readonly number[];
    /** Values of the requested styles, as indexes into the strings. */
    readonly styles: readonly (readonly number[])[];
    /** x, y, width, height. */
    readonly bounds: readonly (readonly number[])[];
    readonly text: readonly number[];
    /** The scrollable area and its visible part, as bounds; empty for nodes without one. */
    readonly scrollRects?: readonly (readonly number[])[];
    readonly clientRects?: readonly (readonly number[])[];
  };
}

/** The browser is missing, does not start, or crashed while the page was open. */
export class BrowserFault extends Error {
  override readonly name = 'BrowserFault';
}

/** A page took too long, or is too large to be displayed. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
}
