/** The result of a conversion between the two template languages, in either direction (specification section 4.3). */

export interface Conversion {
  /** The template in the requested language. */
  readonly content: string;
  /** The number of converted expressions; each tag and each comment counts as one. */
  readonly count: number;
  /** One sentence for each expression that was left unchanged; it quotes the expression. */
  readonly warnings: readonly string[];
}

/** Thrown only inside the conversion, for Jinja2 without a counterpart in NLT; the expression then stays as written. */
export class UnconvertibleError extends Error {}

/** @throws Unconvertible; `reason` is a sentence without its full stop. */
export function unconvertible(reason: string): never {
  throw new UnconvertibleError(reason);
}
