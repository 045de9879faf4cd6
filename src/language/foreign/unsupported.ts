/** Errors thrown only inside the conversion: why a block becomes a placeholder, or is left out. */
import type { ForeignWarningCode } from './foreign-source.js';

export class UnsupportedError extends Error {
  constructor(
    readonly code: ForeignWarningCode,
    message: string,
  ) {
    super(message);
  }
}

/** @throws Unfit; `message` is a whole sentence. */
export function unsupported(message: string, code: ForeignWarningCode = 'no_counterpart'): never {
  throw new UnsupportedError(code, message);
}

/** @throws Unfit for content that the footer of promotional mail provides. */
export function providedByFooter(what: string): never {
  return unsupported(`Waypost adds ${what} to the footer of promotional mail.`, 'given_by_footer');
}

/** @throws Unfit for content that a message does not need. */
export function omitted(what: string): never {
  return unsupported(`Waypost has no ${what}.`, 'left_out');
}
