/** Errors thrown only inside the conversion: why a block becomes a placeholder, or is left out. */
import type { ForeignWarningCode } from './foreign-source.js';

export class Unfit extends Error {
  constructor(
    readonly code: ForeignWarningCode,
    message: string,
  ) {
    super(message);
  }
}

/** @throws Unfit; `message` is a whole sentence. */
export function unfit(message: string, code: ForeignWarningCode = 'no_counterpart'): never {
  throw new Unfit(code, message);
}

/** @throws Unfit for content that the footer of promotional mail provides. */
export function ofFooter(what: string): never {
  return unfit(`Waypost adds ${what} to the footer of promotional mail.`, 'given_by_footer');
}

/** @throws Unfit for content that a message does not need. */
export function leftOut(what: string): never {
  return unfit(`Waypost has no ${what}.`, 'left_out');
}
