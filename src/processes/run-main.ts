/**
 * Startup and shutdown of every process. An operator's mistake (an invalid variable, a port in use, an unreachable
 * database) prints one clear line and exits with code 1. A signal triggers a clean shutdown within ten seconds.
 */
import { constants } from 'node:os';
import type { Logger } from 'pino';
import { ConfigError, loadConfig, type AppConfig } from '../platform/config/config.js';
import { codeOf, isUnreachable, isUnwritable, RoleFault } from '../platform/database/database-error.js';
import { errorKind } from '../platform/logging/error-record.js';
import { lastWords, makeLogger } from '../platform/logging/logger.js';
import { RELEASE } from '../platform/release.js';
import { operatorFault } from './operator-fault.js';

/** Maximum duration of a clean shutdown in milliseconds. */
const PATIENCE = 10_000;
/** Base of the exit codes after a signal. */
const BY_SIGNAL = 128;

export interface Boot {
  readonly config: AppConfig;
  readonly logger: Logger;
  /** Registers a cleanup function for shutdown. Functions run in reverse order of registration. */
  readonly atEnd: (undo: () => Promise<void> | void) => void;
  /** Shuts down because the task is done, with exit code 0 by default. */
  readonly finish: (code?: number) => void;
  /** Shuts down because of a failure that the process cannot recover from. */
  readonly fail: (message: string) => void;
}

/**
 * Runs a process: reads the environment, starts, and runs until a signal arrives.
 * @param start starts everything. If it fails, what it has started is cleaned up.
 * @param kind after a signal, a service exits with code 0 and a task with 128 plus the signal's number, as in shells.
 */
export async function runMain(
  name: string,
  start: (boot: Boot) => Promise<void>,
  kind: 'service' | 'task' = 'service',
): Promise<void> {
  const undos: (() => Promise<void> | void)[] = [];
  let logger = makeLogger(name, 'info');
  let ending: Promise<void> | undefined;

  const end = (code: number, cause?: { signal: string } | { fault: true }): Promise<void> => {
    ending ??= (async () => {
      const begun = performance.now();
      const isTold = kind === 'service' && cause !== undefined;
      if (isTold) logger.info(cause, 'Stopping');
      // A cleanup function that hangs must not keep the process alive.
      setTimeout(() => {
        logger.error({ ms: PATIENCE }, 'Shutdown timed out before everything had finished');
        void exit(code || 1);
      }, PATIENCE).unref();
      for (const undo of undos.reverse()) {
        try {
          await undo();
        } catch (error) {
          logger.error({ err: error }, 'Shutdown did not complete cleanly');
        }
      }
      if (isTold) logger.info({ ms: Math.round(performance.now() - begun) }, 'Stopped');
      await exit(code);
    })();
    return ending;
  };
  const exit = async (code: number): Promise<void> => {
    await lastWords(logger);
    process.exit(code);
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(
      signal,
      () => void end(kind === 'task' ? BY_SIGNAL + constants.signals[signal] : 0, { signal }),
    );
  const collapse = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
    // If the log's reader is gone, logging this error would only cause the next one.
    if ((error as NodeJS.ErrnoException | undefined)?.code !== 'EPIPE')
      logger.fatal({ err: error, origin }, 'An uncaught error stops the process');
    void end(1, { fault: true });
  };
  process.on('uncaughtException', collapse);

  try {
    const config = loadConfig(process.env);
    logger = makeLogger(name, config.logLevel);
    if (kind === 'service') logger.info({ version: RELEASE, node: process.version }, 'Starting');
    await start({
      config,
      logger,
      atEnd: (undo) => undos.push(undo),
      finish: (code = 0) => void end(code),
      fail: (message) => {
        if (!ending) logger.fatal(message);
        void end(1, { fault: true });
      },
    });
  } catch (error) {
    const line = operatorsLine(error);
    if (line === undefined) logger.fatal({ err: error }, 'The process cannot continue');
    process.stderr.write(`${line ?? unforeseen(error)}\n`);
    await end(1);
  }
}

/** One line for the operator; undefined if the operator cannot fix the error. */
function operatorsLine(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof RoleFault) return error.message;
  const fault = operatorFault(error);
  if (fault !== undefined) return fault;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `PORT ${port ?? ''} is in use: stop the program that uses it, or set another PORT.`;
  if (code === 'EACCES' && port !== undefined)
    return `PORT ${port} is not permitted for this user: set another PORT.`;
  if (code === '28P01' || code === '28000')
    return 'DATABASE_URL was rejected: the user or the password is wrong.';
  if (code === '3D000')
    return 'DATABASE_URL names a database that does not exist: create it, or use another.';
  if (code === '42P07')
    return 'DATABASE_URL names a database that contains other tables: use a separate one.';
  if (isUnwritable(error))
    return `DATABASE_URL names a server that cannot write at the moment (SQLSTATE ${codeOf(error)}): check its disk.`;
  if (isUnreachable(error))
    return 'DATABASE_URL cannot be reached: start the PostgreSQL server, or use another address.';
  return undefined;
}

/**
 * Describes an unexpected error without its message, which may quote a connection string with its password, or input.
 */
function unforeseen(error: unknown): string {
  return `An unexpected error stopped the process: ${errorKind(error)}. See the log for details.`;
}
