/** The interface of a command, and what all commands share. */
import { ENVIRONMENTS, type Environment } from '../../kernel/tenant-scope.js';
import type { AppConfig } from '../../platform/config/config.js';
import { UsageError } from '../operator-fault.js';
import type { Services } from './seed.js';

/** Shows the progress of a long command on standard error. */
export interface ProgressDisplay {
  /** Shows the progress and replaces the previous line. */
  show(line: string): void;
  /**
   * Sets a message that is printed if the process is terminated from outside.
   * @returns removes the message.
   */
  onInterrupt(message: () => string): () => void;
}

/** The environment that commands run in. */
export interface CliContext {
  readonly config: AppConfig;
  /** Real time. */
  now(): Date;
  /** Reads a file as text; `-` is standard input. */
  readText(file: string): Promise<string>;
  /** Streams the bytes of a file; `-` is standard input. */
  readBytes(file: string): AsyncIterable<Buffer>;
  readonly watcher: ProgressDisplay;
  /** Reads the first bytes of standard input. */
  readInput(maxBytes: number): Promise<Buffer>;
  /** Migrates the database to the current schema. Returns the names of the migrations that it applied. */
  migrate(): Promise<readonly string[]>;
  /** Opens the application's services for `work` and closes them afterwards. */
  withServices<Result>(work: (services: Services) => Promise<Result>): Promise<Result>;
}

/** Output that is printed unchanged, not as JSON. */
export class PlainText {
  constructor(readonly text: string) {}
}

/** Output that is printed before the command exits with code 1. */
export class FailedAnswer {
  constructor(readonly answer: unknown) {}
}

/**
 * Runs with the arguments after the command's name. Returns what to print: a JSON value, a PlainText or a FailedAnswer.
 */
export type Command = (args: string[], context: CliContext) => Promise<unknown>;

/** @throws UsageError if it is not an environment. */
export function environmentNamed(text: string): Environment {
  const environment = ENVIRONMENTS.find((known) => known === text);
  if (!environment) throw new UsageError(`--environment must be one of ${ENVIRONMENTS.join(', ')}.`);
  return environment;
}
