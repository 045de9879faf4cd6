/** What a conversion between the two template languages gives, whichever way it goes (specification section 4.3). */
export interface Conversion {
  /** The template in the language asked for. */
  readonly content: string;
  /** How many expressions were converted; each tag and each comment counts as one. */
  readonly count: number;
  /** One sentence for each expression that stayed as it was written; it quotes the expression. */
  readonly warnings: readonly string[];
}
