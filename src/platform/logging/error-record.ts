/**
 * What is logged of an error: enough to find its cause, and nothing that a person or a tenant has written. Servers
 * quote what they refuse (PostgreSQL the value, an SMTP server the recipient, a parser its input), so of whatever has a
 * code the code is logged and not the words.
 */
import { DomainError } from '../../kernel/domain-error.js';

/** Members that name things of ours (constraints, tables, stages of a protocol), with what each may look like. */
const NAMES: Readonly<Record<string, RegExp>> = {
  code: /^[\w-]{1,64}$/,
  severity: /^[A-Z]{1,16}$/,
  schema: /^[\w$]{1,63}$/,
  table: /^[\w$]{1,63}$/,
  column: /^[\w$]{1,63}$/,
  constraint: /^[\w$]{1,63}$/,
  routine: /^\w{1,63}$/,
  syscall: /^\w{1,32}$/,
};
const DEEPEST_CAUSE = 5;

/** The record of any thrown value. */
export function errorRecord(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const members = error as unknown as Record<string, unknown>;
  const { responseCode, cause } = members;
  return {
    type: error.constructor.name,
    ...(isInOurWords(error) ? { message: error.message } : {}),
    ...Object.fromEntries(
      Object.entries(NAMES).flatMap(([name, shape]) => {
        const value = members[name];
        return typeof value === 'string' && shape.test(value) ? [[name, value]] : [];
      }),
    ),
    ...(typeof responseCode === 'number' ? { response_code: responseCode } : {}),
    stack: framesOf(error.stack),
    ...(cause === undefined || depth >= DEEPEST_CAUSE ? {} : { cause: errorRecord(cause, depth + 1) }),
  };
}

/** The frames of a stack, without the words above them. */
export function framesOf(stack: string | undefined): string {
  return (stack ?? '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
}

/** What an error is, by its class and its code, for a line beside which no log can be read. */
export function errorKind(error: unknown): string {
  const { type, code } = errorRecord(error);
  return typeof code === 'string' ? `${String(type)} ${code}` : String(type);
}

/**
 * System errors name an address and a port, or a path that may come from a variable; other codes stand for words that
 * may quote something.
 */
function isInOurWords(error: Error): boolean {
  if (error instanceof SyntaxError || error instanceof DomainError) return false;
  return !('code' in error) || ('syscall' in error && !('path' in error));
}
