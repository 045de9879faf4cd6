/**
 * What the content check makes of a template: the message as it is rendered, where each part of it stands in the author's
 * source, and what is found in both. The checks that follow work on it; all of it can be cloned between threads.
 */
import type { TemplateLanguage } from '../../../../language/language.js';
import type { RuleFinding } from '../findings/finding.js';

/** What is examined; subject and preheader as the template stores them or the caller gives them. */
export interface InspectedContent {
  readonly subject: string | null;
  readonly bodyHtml: string;
  readonly bodyText: string;
  readonly templateLanguage: TemplateLanguage | null;
  /** The template's own subject, where the caller gave another. */
  readonly ownSubject?: string | null;
}

/** A message rendered with a contact's data or sample values. */
export interface RenderedMessage {
  /** Null where there is none. */
  readonly subject: string | null;
  readonly html: string;
  readonly text: string;
}

/**
 * Where the rendered HTML comes from: pieces in its order, each from an offset on. `source` is the offset in the stored
 * body of what stands at `rendered`; `isText` pieces run on side by side with the source, the others are values, all of
 * which stand where their expression does.
 */
export interface SourcePiece {
  readonly rendered: number;
  readonly source: number;
  readonly isText: boolean;
}

/** A link or an image of the rendered message; places are offsets in the stored body. */
export interface Resource {
  readonly kind: 'link' | 'image';
  /** An absolute http or https address. */
  readonly address: string;
  readonly at: number;
  readonly until: number;
}

export interface Analysis {
  /** Null where the message does not render: a finding says why. */
  readonly message: RenderedMessage | null;
  readonly pieces: readonly SourcePiece[];
  readonly findings: readonly RuleFinding[];
  /** Each element once, in the order of the message, at most MOST_RESOURCES. */
  readonly resources: readonly Resource[];
  /** Whether there were more. */
  readonly resourcesCut: boolean;
  /** Findings beyond those that one check hands on. */
  readonly findingsLeft: number;
  /** Bytes that are added to the HTML on the way out. */
  readonly addedBytes: number;
}

export const MOST_RESOURCES = 5_000;
