/** What a command of the operator's command line is, and what all of them need. */
import { ENVIRONMENTS, type Environment } from '../../kernel/tenant-scope.js';
import type { AppConfig } from '../../platform/config/config.js';
import { UsageError } from '../operator-fault.js';
import type { Services } from './seed.js';

/** Whoever watches a command that takes long, on standard error. */
export interface Watcher {
  /** How far it is, in the place of what was shown before. */
  show(line: string): void;
  /**
   * Has words said where the process is ended from outside.
   * @returns takes that back.
   */
  ifEnded(words: () => string): () => void;
}

/** What commands need of the world. */
export interface CliWorld {
  readonly config: AppConfig;
  /** Real time. */
  now(): Date;
  /** The text of a file; `-` is the standard input. */
  readText(file: string): Promise<string>;
  /** The bytes of a file as they come; `-` is the standard input. */
  readBytes(file: string): AsyncIterable<Buffer>;
  readonly watcher: Watcher;
  /** The standard input as it comes, its first bytes. */
  readInput(most: number): Promise<Buffer>;
  /** Brings the database to the present schema; gives the names of the migrations that it applied. */
  migrate(): Promise<readonly string[]>;
  /** Opens the service's services for `work`, and closes them after it. */
  withServices<Result>(work: (services: Services) => Promise<Result>): Promise<Result>;
}

/** An answer that is printed as it is, not as JSON. */
export class PlainText {
  constructor(readonly text: string) {}
}

/** An answer that is printed, and ends the command with exit code 1. */
export class FailedAnswer {
  constructor(readonly answer: unknown) {}
}

/** Runs with the arguments after the command's name; gives what is to be printed: a JSON value, a PlainText or a FailedAnswer. */
export type Command = (args: string[], world: CliWorld) => Promise<unknown>;

/** @throws UsageError where it is none. */
export function environmentNamed(text: string): Environment {
  const environment = ENVIRONMENTS.find((known) => known === text);
  if (!environment) throw new UsageError(`--environment must be one of ${ENVIRONMENTS.join(', ')}.`);
  return environment;
}
