/** The parts of a message that an email client drops. */

/**
 * `element`: the tag, and its content if that is lost too (`lost`); `sheet`: a whole <style> element; `declaration`: of
 * a style attribute or a rule; `at_rule`: a block such as @media.
 */
export type DroppedKind = 'element' | 'attribute' | 'declaration' | 'selector' | 'at_rule' | 'sheet';

export interface Dropped {
  readonly kind: DroppedKind;
  /** The name of the element, attribute, property or at-rule; the text of a selector. */
  readonly name: string;
  /** The value of an attribute or a declaration, the prelude of an at-rule, or why a sheet is dropped. */
  readonly value: string;
  /** Offset in the rendered HTML of the element that contains it. */
  readonly at: number;
  /** The element that contains it. */
  readonly element: string;
  /** The text in the element, cut; empty if there is none. */
  readonly text: string;
  /** Whether that text is lost with it. */
  readonly lost: boolean;
  /** The rest of the style attribute that it was dropped from. */
  readonly remainingStyle: string;
}

/** Maximum number of drops recorded per message and client; a hostile message has thousands. */
export const MAX_DROPPED = 4_000;
