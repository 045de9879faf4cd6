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
    pino.destination({ dest: 2, sync: false }),
  );
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
    if (message instanceof Error) this.logger[level]({ err: message }, 'The framework met an error');
    // Beside its words Nest hands over the names of its parts, and stacks, whose first line may quote anything.
    else this.logger[level]({ context: context.map((part) => nameOrFrames(part)) }, String(message));
  }
}

function nameOrFrames(part: unknown): unknown {
  return typeof part === 'string' && part.includes('\n') ? framesOf(part) : part;
}
