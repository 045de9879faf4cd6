/** What a command of the operator's command line is, and what all of them need. */
import { isUuid, ENVIRONMENTS, type Environment } from '../../kernel/tenant-scope.js';
import { WorkspaceService } from '../../modules/workspaces/application/workspace.service.js';
import type { Workspace } from '../../modules/workspaces/domain/workspace.js';
import type { AppConfig } from '../../platform/config/config.js';
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

/** The operator's mistake, as one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An answer that is printed as it is, not as JSON. */
export class PlainText {
  constructor(readonly text: string) {}
}

export interface Command {
  readonly usage: string;
  /** @returns what is to be printed: a JSON value or a PlainText. */
  run(args: string[], world: CliWorld): Promise<unknown>;
}

/**
 * The workspace that an operator names by its id or its name.
 * @throws UsageError where there is none, or more than one.
 */
export async function workspaceNamed(text: string | undefined, services: Services): Promise<Workspace> {
  if (text === undefined) throw new UsageError('--workspace is missing.');
  const workspaces = services.get(WorkspaceService);
  const ids = isUuid(text) ? [text.toLowerCase()] : await workspaces.idsByName(text);
  if (ids.length > 1) throw new UsageError(`Several workspaces have the name ${text}: give the id of one.`);
  const workspace = ids[0] === undefined ? undefined : await workspaces.find({ workspaceId: ids[0] });
  if (!workspace) throw new UsageError(`There is no workspace ${text}.`);
  return workspace;
}

/** @throws UsageError where it is none. */
export function environmentNamed(text: string): Environment {
  const environment = ENVIRONMENTS.find((known) => known === text);
  if (!environment) throw new UsageError(`--environment must be one of ${ENVIRONMENTS.join(', ')}.`);
  return environment;
}
