/**
 * Startup and shutdown of every process. An operator's mistake (an invalid variable, a port in use, an unreachable
 * database) prints one clear line and exits with code 1. A signal triggers a clean shutdown within ten seconds.
 */
import { constants } from 'node:os';
import type { Logger } from 'pino';
import { ConfigError, loadConfig, type AppConfig } from '../platform/config/config.js';
import { codeOf, isUnreachable, isUnwritable, RoleFault } from '../platform/database/database-error.js';
import { errorKind } from '../platform/logging/error-record.js';
import { flushLogger, makeLogger } from '../platform/logging/logger.js';
import { RELEASE } from '../platform/release.js';
import { operatorFault } from './operator-fault.js';

/** Maximum duration of a clean shutdown in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000;
/** Base of the exit codes after a signal. */
const SIGNAL_EXIT_BASE = 128;

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
  const cleanups: (() => Promise<void> | void)[] = [];
  let logger = makeLogger(name, 'info');
  let shutdown: Promise<void> | undefined;

  const shutDown = (code: number, cause?: { signal: string } | { fault: true }): Promise<void> => {
    shutdown ??= (async () => {
      const startedAt = performance.now();
      const isLogged = kind === 'service' && cause !== undefined;
      if (isLogged) logger.info(cause, 'Stopping');
      // A cleanup function that hangs must not keep the process alive.
      setTimeout(() => {
        logger.error({ ms: SHUTDOWN_TIMEOUT_MS }, 'Shutdown timed out before everything had finished');
        void exit(code || 1);
      }, SHUTDOWN_TIMEOUT_MS).unref();
      for (const cleanup of cleanups.reverse()) {
        try {
          await cleanup();
        } catch (error) {
          logger.error({ err: error }, 'Shutdown did not complete cleanly');
        }
      }
      if (isLogged) logger.info({ ms: Math.round(performance.now() - startedAt) }, 'Stopped');
      await exit(code);
    })();
    return shutdown;
  };
  const exit = async (code: number): Promise<void> => {
    await flushLogger(logger);
    process.exit(code);
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(
      signal,
      () => void shutDown(kind === 'task' ? SIGNAL_EXIT_BASE + constants.signals[signal] : 0, { signal }),
    );
  const crash = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
    // If the log's reader is gone, logging this error would only cause the next one.
    if ((error as NodeJS.ErrnoException | undefined)?.code !== 'EPIPE')
      logger.fatal({ err: error, origin }, 'An uncaught error stops the process');
    void shutDown(1, { fault: true });
  };
  process.on('uncaughtException', crash);

  try {
    const config = loadConfig(process.env);
    logger = makeLogger(name, config.logLevel);
    if (kind === 'service') logger.info({ version: RELEASE, node: process.version }, 'Starting');
    await start({
      config,
      logger,
      atEnd: (cleanup) => cleanups.push(cleanup),
      finish: (code = 0) => void shutDown(code),
      fail: (message) => {
        if (!shutdown) logger.fatal(message);
        void shutDown(1, { fault: true });
      },
    });
  } catch (error) {
    const line = operatorMessage(error);
    if (line === undefined) logger.fatal({ err: error }, 'The process cannot continue');
    process.stderr.write(`${line ?? unexpectedErrorMessage(error)}\n`);
    await shutDown(1);
  }
}

/** One line for the operator; undefined if the operator cannot fix the error. */
function operatorMessage(error: unknown): string | undefined {
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
function unexpectedErrorMessage(error: unknown): string {
  return `An unexpected error stopped the process: ${errorKind(error)}. See the log for details.`;
}
