/**
 * Defines a job: its queue, payload format and attempts. A job is only a wake-up for the rows of one tenant. It
 * contains ids and no content, and losing it loses no work.
 */
import { ENVIRONMENTS, isUuid, type Environment, type TenantScope } from '../../kernel/tenant-scope.js';

export interface JobContract<Payload> {
  /** Unique among all contracts; the job's name in BullMQ. */
  readonly name: string;
  readonly queue: string;
  readonly attempts: number;
  /** Parses a payload from another process. @throws TypeError if it has another format. */
  parse(data: unknown): Payload;
  /** Payloads with equal ids are deduplicated: at most one waits while another is active. */
  deduplicationId(payload: Payload): string;
}

/** A wake-up for the due rows of one tenant in one environment. */
export interface WakeUp<Queue extends string = string> extends JobContract<TenantScope> {
  readonly queue: Queue;
}

export function tenantWakeUp<Queue extends string>(name: string, queue: Queue): WakeUp<Queue> {
  return {
    name,
    queue,
    attempts: 5,
    parse: (data) => {
      const { workspaceId, environment } = (data ?? {}) as Partial<Record<keyof TenantScope, unknown>>;
      if (!isUuid(workspaceId) || !ENVIRONMENTS.includes(environment as Environment))
        throw new TypeError(`A ${name} job needs workspaceId and environment.`);
      return { workspaceId, environment: environment as Environment };
    },
    deduplicationId: ({ workspaceId, environment }) => `${name}:${workspaceId}:${environment}`,
  };
}
