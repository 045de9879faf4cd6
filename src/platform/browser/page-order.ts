/** What a page of the browser is asked for, and what it answers. */

/** How a page is looked at. */
export interface PageView {
  /** CSS pixels. */
  readonly width: number;
  /** Whether the page is told that it is dark. */
  readonly prefersDark: boolean;
}

/** An image that the page may show; its bytes were fetched beforehand. */
export interface PageImage {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface PagePicture {
  readonly width: number;
  readonly height: number;
  readonly mediaType: 'image/jpeg';
  readonly image: Uint8Array;
  /** Whether the page is longer than what is shown of it. */
  readonly cut: boolean;
}

/** The part of the DevTools protocol's `DOMSnapshot.captureSnapshot` that is read here. */
export interface PageSnapshot {
  readonly strings: readonly string[];
  readonly documents: readonly SnapshotDocument[];
}

export interface SnapshotDocument {
  /** CSS pixels of the whole page. */
  readonly contentWidth?: number;
  readonly contentHeight?: number;
  readonly nodes: {
    readonly parentIndex?: readonly number[];
    readonly nodeType?: readonly number[];
    readonly nodeName?: readonly number[];
    /** Of each node name and value, in turn, as indexes of strings. */
    readonly attributes?: readonly (readonly number[])[];
  };
  readonly layout: {
    readonly nodeIndex: readonly number[];
    /** Values of the styles asked for, as indexes of strings. */
    readonly styles: readonly (readonly number[])[];
    /** x, y, width, height. */
    readonly bounds: readonly (readonly number[])[];
    readonly text: readonly number[];
    /** What can be scrolled to and what is visible of it, as bounds; empty for what has none. */
    readonly scrollRects?: readonly (readonly number[])[];
    readonly clientRects?: readonly (readonly number[])[];
  };
}

/** The browser is missing, does not start, or died with the page. */
export class BrowserFault extends Error {
  override readonly name = 'BrowserFault';
}

/** A page took too long, or is too large to be shown. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
}
