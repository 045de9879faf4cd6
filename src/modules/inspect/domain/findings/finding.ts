/** The result of a rule: the same for preflight (section 4.3) and quality analysis (4.7). */
import type { RenderClient } from '../rendering/render-client.js';
import type { RuleName } from '../rules/catalogue.js';

/** A position in `body_html` as it is stored; `line` and `column` count from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** A replacement in `body_html` as it is stored: characters from `start` to `end` become `text`. */
export interface SourceEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * `examined`: the subject of the inspected message. `template`: the template's own subject, in a run that was given
 * another. No run shows these findings, but the gate before sending counts them.
 */
export type FindingSubject = 'examined' | 'template';

export interface RuleFinding {
  readonly rule: RuleName;
  readonly message: string;
  /** Offset in the body as it is stored, or a position in it; null for what has no position there. */
  readonly at: number | SourcePosition | null;
  /** The offset where the element at fault ends, if known; for the snippet. */
  readonly until?: number;
  /**
   * What the finding points at, if that is not the text of its element. Two findings of a rule with the same target are
   * one finding, in each version of a template.
   */
  readonly target?: string;
  /** Which of several faults of its element it is, for rules that may find more than one there. */
  readonly part?: string;
  /** The clients concerned; absent if all are. */
  readonly clients?: readonly RenderClient[];
  /** The private host of its address, as browsers write it, and the port. */
  readonly privateHost?: { readonly name: string; readonly port: number };
  /** Edits that fix it, if any do. They do not overlap, and are in the order of the source. */
  readonly edits?: readonly SourceEdit[];
  /** Whether the edits are a guess that the author has to check; these are not applied. */
  readonly isSuggestion?: boolean;
  /** Which subject it is about, if it is about one. */
  readonly subject?: FindingSubject;
}

const MAX_QUOTE_LENGTH = 80;

/** Quotes text of the template in a message, on one line and shortened. */
export function quote(text: string): string {
  const line = text
    .slice(0, MAX_QUOTE_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const isTruncated = line.length > MAX_QUOTE_LENGTH || text.length > MAX_QUOTE_LENGTH * 4;
  return `“${isTruncated ? `${line.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…` : line.toWellFormed()}”`;
}
