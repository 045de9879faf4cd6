/** What a rule finds in a message: the same for preflight (section 4.3) and quality analysis (4.7). */
import type { RenderClient } from '../rendering/render-client.js';
import type { RuleName } from '../rules/catalogue.js';

/** A place in `body_html` as it is stored; `line` and `column` count from 1. */
export interface SourcePlace {
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
 * `examined`: the subject of the message that is examined. `template`: the template's own, in a run that was given another;
 * no run shows these findings, and the gate before sending counts them.
 */
export type FindingSubject = 'examined' | 'template';

export interface RuleFinding {
  readonly rule: RuleName;
  readonly message: string;
  /** Offset in the body as it is stored, or a place in it, or null for what has no place there. */
  readonly at: number | SourcePlace | null;
  /** Where the element at fault ends, as an offset, where it has an end; for the snippet. */
  readonly until?: number;
  /**
   * What the finding points at, where that is not the text of its element: two findings of a rule with the same target are
   * one finding, in each version of a template.
   */
  readonly target?: string;
  /** Which of several faults of its element it is, where a rule may find more than one there. */
  readonly part?: string;
  /** The clients concerned; none where all are. */
  readonly clients?: readonly RenderClient[];
  /** The private host of the address that it is about, as browsers write it, and the port. */
  readonly privateHost?: { readonly name: string; readonly port: number };
  /** What would correct it, where anything would; edits that do not overlap, in the order of the source. */
  readonly edits?: readonly SourceEdit[];
  /** Whether the edits are a guess that its author has to check, and are not applied. */
  readonly isSuggestion?: boolean;
  /** Which subject it is about, if it is about one. */
  readonly subject?: FindingSubject;
}

const LONGEST_QUOTE = 80;

/** Something of the template within a message, on one line and not too long. */
export function quote(text: string): string {
  const line = text
    .slice(0, LONGEST_QUOTE * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const cut = line.length > LONGEST_QUOTE || text.length > LONGEST_QUOTE * 4;
  return `“${cut ? `${line.slice(0, LONGEST_QUOTE).toWellFormed()}…` : line.toWellFormed()}”`;
}
