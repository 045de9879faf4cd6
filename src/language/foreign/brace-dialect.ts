/** What tells the templates of Liquid's from those of Klaviyo's. */
import type { ConditionSetting } from './foreign-conditions.js';
import type { Grammar } from './foreign-expressions.js';
import type { Piece } from './foreign-source.js';
import type { ValueRules } from './value-reader.js';

/** What tells the templates of a source from those of another. */
export interface BraceDialect extends ValueRules {
  readonly grammar: Grammar;
  readonly truth: ConditionSetting['truth'];
  readonly hasComments: boolean;
  /** What begins a text that is not read: `raw`, `verbatim`. */
  readonly rawTags: ReadonlySet<string>;
  /** What stands for the address of the link to unsubscribe, without braces; null where nothing does. */
  readonly bracketLink: string | null;
  /** What a tag of its own shows. @throws Unfit for one without a counterpart */
  show(name: string): readonly Piece[];
}
