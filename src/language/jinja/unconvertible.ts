/** Thrown only inside the conversion, for Jinja2 without a counterpart in NLT; the expression then stays as written. */
export class UnconvertibleError extends Error {}

/** @throws Unconvertible; `reason` is a sentence without its full stop. */
export function unconvertible(reason: string): never {
  throw new UnconvertibleError(reason);
}
