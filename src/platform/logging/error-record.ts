/**
 * What is logged of an error: enough to find its cause, and no data of a person or a tenant. Servers quote what they
 * reject (PostgreSQL the value, an SMTP server the recipient, a parser its input), so an error that has a code is
 * logged with the code and without the message.
 */
import { DomainError } from '../../kernel/domain-error.js';

/** Error members that name our own objects (constraints, tables, stages of a protocol), with their permitted format. */
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
const MAX_CAUSE_DEPTH = 5;

/** The log record of any thrown value. */
export function errorRecord(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const members = error as unknown as Record<string, unknown>;
  const { responseCode, cause } = members;
  return {
    type: error.constructor.name,
    ...(hasSafeMessage(error) ? { message: error.message } : {}),
    ...Object.fromEntries(
      Object.entries(NAMES).flatMap(([name, shape]) => {
        const value = members[name];
        return typeof value === 'string' && shape.test(value) ? [[name, value]] : [];
      }),
    ),
    ...(typeof responseCode === 'number' ? { response_code: responseCode } : {}),
    stack: framesOf(error.stack),
    ...(cause === undefined || depth >= MAX_CAUSE_DEPTH ? {} : { cause: errorRecord(cause, depth + 1) }),
  };
}

/** The frames of a stack, without the message above them. */
export function framesOf(stack: string | undefined): string {
  return (stack ?? '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
}

/** The class and code of an error, for output that is not a log. */
export function errorKind(error: unknown): string {
  const { type, code } = errorRecord(error);
  return typeof code === 'string' ? `${String(type)} ${code}` : String(type);
}

/**
 * Whether an error's message is safe to log. System errors name an address and a port, or a path that may come from a
 * variable; messages of errors with other codes may quote data.
 */
function hasSafeMessage(error: Error): boolean {
  if (error instanceof SyntaxError || error instanceof DomainError) return false;
  return !('code' in error) || ('syscall' in error && !('path' in error));
}
