/**
 * Structured logs: one JSON line per entry on standard error, never with keys, tokens or bodies of emails. Members that
 * could contain one are redacted by name, and callers log ids.
 */
import { type LoggerService, type LogLevel as NestLevel } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import type { LogLevel } from '../config/config.js';
import { errorRecord, framesOf } from './error-record.js';

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'key',
  'api_key',
  'apiKey',
  'body_html',
  'bodyHtml',
  'html',
  'raw',
  '["x-api-key"]',
  '["x-webhook-secret"]',
];

/** Creates the process's logger. `name` is the process: up, api, worker, cli. */
export function makeLogger(name: string, level: LogLevel): Logger {
  const paths = SECRET_FIELDS.flatMap((field) =>
    field.startsWith('[') ? [field, `*${field}`, `*.*${field}`] : [field, `*.${field}`, `*.*.${field}`],
  );
  return pino(
    { name, level, redact: { paths, censor: '[redacted]' }, serializers: { err: errorRecord } },
    // With a minimum length, flush calls back when it is done.
    pino.destination({ dest: 2, sync: false, minLength: 1 }),
  );
}

/** Maximum time for writing the last lines of a process, in milliseconds. */
const FLUSH_TIMEOUT_MS = 1_000;

/**
 * Flushes the buffer, for at most a second. Await it before the process exits. At exit the logger itself would write
 * until it succeeds, which never happens if the log's reader is gone.
 */
export async function flushLogger(logger: Logger): Promise<void> {
  const { [pino.symbols.streamSym]: stream } = logger as unknown as Record<symbol, { flushSync: () => void }>;
  await new Promise<void>((resolve) => {
    setTimeout(resolve, FLUSH_TIMEOUT_MS);
    logger.flush(() => resolve());
  });
  if (stream) stream.flushSync = () => undefined;
}

/** Injection token of the process's logger. */
export const LOGGER = Symbol('LOGGER');

/** Logs Nest's own messages with the process's logger; startup messages at level debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...context: unknown[]): void {
    this.write('debug', message, context);
  }
  error(message: unknown, ...context: unknown[]): void {
    this.write('error', message, context);
  }
  warn(message: unknown, ...context: unknown[]): void {
    this.write('warn', message, context);
  }
  debug(message: unknown, ...context: unknown[]): void {
    this.write('debug', message, context);
  }
  verbose(message: unknown, ...context: unknown[]): void {
    this.write('trace', message, context);
  }
  fatal(message: unknown, ...context: unknown[]): void {
    this.write('fatal', message, context);
  }
  setLogLevels(_levels: NestLevel[]): void {
    // Only LOG_LEVEL sets the level.
  }

  private write(
    level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal',
    message: unknown,
    context: unknown[],
  ): void {
    if (message instanceof Error) this.logger[level]({ err: message }, 'The framework reported an error');
    // In addition to messages, Nest passes names of its parts, and stacks, whose first line may quote anything.
    else this.logger[level]({ context: context.map((part) => nameOrFrames(part)) }, String(message));
  }
}

function nameOrFrames(part: unknown): unknown {
  return typeof part === 'string' && part.includes('\n') ? framesOf(part) : part;
}
