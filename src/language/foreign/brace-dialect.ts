/** Describes how the template languages with braces differ: Liquid and Klaviyo's. */
import type { ConditionSetting } from './foreign-conditions.js';
import type { Grammar } from './foreign-expressions.js';
import type { Piece } from './foreign-source.js';
import type { ValueRules } from './value-reader.js';

/** The properties of one template language. */
export interface BraceDialect extends ValueRules {
  readonly grammar: Grammar;
  readonly truth: ConditionSetting['truth'];
  readonly hasComments: boolean;
  /** Tags that start a text that is not parsed: `raw`, `verbatim`. */
  readonly rawTags: ReadonlySet<string>;
  /** The text, without braces, that represents the address of the unsubscribe link; null if there is none. */
  readonly bracketLink: string | null;
  /** What a tag specific to this language shows. @throws Unfit for one without a counterpart */
  show(name: string): readonly Piece[];
}
