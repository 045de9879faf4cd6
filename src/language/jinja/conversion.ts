/** The result of a conversion between the two template languages, in either direction (specification section 4.3). */
export interface Conversion {
  /** The template in the requested language. */
  readonly content: string;
  /** The number of converted expressions; each tag and each comment counts as one. */
  readonly count: number;
  /** One sentence for each expression that was left unchanged; it quotes the expression. */
  readonly warnings: readonly string[];
}
