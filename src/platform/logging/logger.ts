/**
 * Structured logs, one JSON line each on standard error, never with keys, tokens or bodies of emails: what could
 * hold one is redacted by name, and callers log ids.
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

/** Makes the process's logger. `name` says which process speaks: up, api, worker, cli. */
export function makeLogger(name: string, level: LogLevel): Logger {
  const paths = SECRET_FIELDS.flatMap((field) =>
    field.startsWith('[') ? [field, `*${field}`, `*.*${field}`] : [field, `*.${field}`, `*.*.${field}`],
  );
  return pino(
    { name, level, redact: { paths, censor: '[redacted]' }, serializers: { err: errorRecord } },
    // With a least length its flush tells when it is done.
    pino.destination({ dest: 2, sync: false, minLength: 1 }),
  );
}

/** How long the last lines of a process may take to be written, in milliseconds. */
const LAST_WORDS = 1_000;

/**
 * Writes out what is buffered, for as long as a second; to be waited for before a process exits. What the logger would
 * do by itself at the exit is to write until it succeeds, which it never does where the log's reader has gone.
 */
export async function lastWords(logger: Logger): Promise<void> {
  const { [pino.symbols.streamSym]: stream } = logger as unknown as Record<symbol, { flushSync: () => void }>;
  await new Promise<void>((resolve) => {
    setTimeout(resolve, LAST_WORDS);
    logger.flush(() => resolve());
  });
  if (stream) stream.flushSync = () => undefined;
}

/** Injection token of the process's logger. */
export const LOGGER = Symbol('LOGGER');

/** Nest's own messages through the process's logger; start-up chatter goes to debug. */
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
    // The level is LOG_LEVEL's alone.
  }

  private write(
    level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal',
    message: unknown,
    context: unknown[],
  ): void {
    if (message instanceof Error) this.logger[level]({ err: message }, 'The framework reported an error');
    // Beside its words Nest hands over the names of its parts, and stacks, whose first line may quote anything.
    else this.logger[level]({ context: context.map((part) => nameOrFrames(part)) }, String(message));
  }
}

function nameOrFrames(part: unknown): unknown {
  return typeof part === 'string' && part.includes('\n') ? framesOf(part) : part;
}
