/** What a mail program leaves out of a message. */

/**
 * `element`: the tag, with what stands in it where that is lost too (`lost`); `sheet`: a whole <style>; `declaration`: of a
 * style attribute or a rule; `at_rule`: a block such as @media.
 */
export type DroppedKind = 'element' | 'attribute' | 'declaration' | 'selector' | 'at_rule' | 'sheet';

export interface Dropped {
  readonly kind: DroppedKind;
  /** Of element, attribute, property or at-rule; of a selector its text. */
  readonly name: string;
  /** Of an attribute or a declaration, the words of an at-rule, and why a sheet falls. */
  readonly value: string;
  /** Offset in the rendered HTML of the element that bears it. */
  readonly at: number;
  /** The element that bears it. */
  readonly element: string;
  /** Text that stands in the element, cut; empty where there is none. */
  readonly text: string;
  /** Whether that text is lost with it. */
  readonly lost: boolean;
  /** What is left of the style attribute that it was dropped from. */
  readonly left: string;
}

/** Drops that are kept of one message and program; a message of nothing but them has thousands. */
export const MOST_DROPPED = 4_000;
