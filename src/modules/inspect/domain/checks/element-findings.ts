/** Creates findings at an element or at a declaration of a style, for all checks. */
import { countUpTo } from '../../../../kernel/sorted.js';
import { CONTROL_FLOW_MARK } from '../email/blanked-source.js';
import type { CssDeclaration } from '../email/css-reader.js';
import type { RuleFinding } from '../findings/finding.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';

/** A finding at the opening tag of an element. */
export function atElement(rule: RuleName, element: EmailElement, message: string): RuleFinding {
  return { rule, message, at: element.offset, until: element.end };
}

/** A declaration, and the element whose style attribute contains it; null in a style sheet. */
export interface ElementDeclaration {
  readonly declaration: CssDeclaration;
  readonly element: EmailElement | null;
}

/** Every declaration that applies when a message is opened: those in media queries and similar rules are left out. */
export function* declarationsOf(email: ParsedEmail): Generator<ElementDeclaration> {
  for (const rule of email.rules) {
    if (!rule.conditional) for (const declaration of rule.declarations) yield { declaration, element: null };
  }
  for (const [element, declarations] of email.inline) {
    for (const declaration of declarations) yield { declaration, element };
  }
}

/** A finding at a declaration, or at the element whose attribute contains it. */
export function atDeclaration(rule: RuleName, declared: ElementDeclaration, message: string): RuleFinding {
  const { element, declaration } = declared;
  if (element) return atElement(rule, element, message);
  return { rule, message, at: declaration.offset, until: declaration.end };
}

/** The value of a style attribute's declaration in lower case; the last one wins. */
export function styleOf(email: ParsedEmail, element: EmailElement, property: string): string | undefined {
  return email.inline
    .get(element)
    ?.findLast((declaration) => declaration.property === property)
    ?.text.toLowerCase();
}

/** Maximum number of characters of a tag that are read. */
const MAX_TAG_LENGTH = 4_000;

/** The offset after the mark that ends a tag or the head of a rule, which begins at `at`; bounded by MAX_TAG_LENGTH. */
export function endOf(html: string, at: number, mark = '>'): number {
  const length = html.slice(at, at + MAX_TAG_LENGTH).indexOf(mark);
  return at + (length < 0 ? Math.min(MAX_TAG_LENGTH, html.length - at) : length + 1);
}

/** Whether an element is within an element with one of these names. */
export function isInside(element: EmailElement, names: ReadonlySet<string>): boolean {
  for (let around = element.parent; around; around = around.parent) if (names.has(around.name)) return true;
  return false;
}

/**
 * The positions of expressions that branch or repeat: content on the two sides of one may never appear in the same
 * message.
 */
export class ControlFlowOffsets {
  private readonly offsets: readonly number[];

  constructor({ html }: ParsedEmail) {
    this.offsets = [...html.matchAll(new RegExp(`${CONTROL_FLOW_MARK}+`, 'g'))].map(({ index }) => index);
  }

  /** Whether one lies between two offsets. */
  anyBetween(start: number, end: number): boolean {
    const first = countUpTo(this.offsets, start - 1, (offset) => offset);
    return (this.offsets[first] ?? Infinity) < end;
  }
}
