/**
 * What a job is agreed to be: its queue, its payload's shape, its attempts. A job is only a bell that wakes a
 * worker for the rows of one tenant; it holds ids, never content, and losing it loses nothing.
 */
import { ENVIRONMENTS, isUuid, type Environment, type TenantScope } from '../../kernel/tenant-scope.js';

export interface JobContract<Payload> {
  /** Unique among all contracts; the job's name in BullMQ. */
  readonly name: string;
  readonly queue: string;
  readonly attempts: number;
  /** Reads a payload that came from outside of this process. @throws TypeError when it has another shape. */
  parse(data: unknown): Payload;
  /** Payloads of equal id ring one bell: at most one of them waits while another one is being worked on. */
  deduplicationId(payload: Payload): string;
}

/** A bell for the due rows of one tenant in one environment. */
export function tenantBell(name: string, queue: string): JobContract<TenantScope> {
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
