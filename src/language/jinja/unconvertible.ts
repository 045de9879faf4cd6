/** Thrown inside the conversion only, for Jinja2 without a counterpart in NLT; the expression stays as written then. */
export class Unconvertible extends Error {}

/** @throws Unconvertible; `reason` is a sentence without its full stop. */
export function unconvertible(reason: string): never {
  throw new Unconvertible(reason);
}
