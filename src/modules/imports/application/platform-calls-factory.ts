/** Creates the calls for a job's time slice. Counts of the job's earlier calls are remembered until it ends. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { MigrationBaseUrls } from '../../../platform/config/migrations.js';
import { AllowedHosts } from '../../../platform/outbound/allowed-hosts.js';
import { GuardedFetch } from '../../../platform/outbound/guarded-fetch.js';
import type { ImportJob } from '../domain/import-job.js';
import { PlatformTally } from '../domain/platform-tally.js';
import { ImportFiles } from './import-files.js';
import { PlatformCalls } from './platform-calls.js';

/** Maximum number of jobs whose counts are remembered. */
const MOST_TALLIES = 1_000;

@Injectable()
export class PlatformCallsFactory {
  /** By job id, the most recently used last. */
  private readonly tallies = new Map<string, PlatformTally>();
  private readonly baseUrls: MigrationBaseUrls;

  constructor(
    private readonly outbound: GuardedFetch,
    private readonly files: ImportFiles,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) { migrationBaseUrls }: Pick<RuntimeConfig, 'migrationBaseUrls'>,
  ) {
    this.baseUrls = migrationBaseUrls;
  }

  /** @param signal ends the time slice: calls under way are aborted. */
  of(
    scope: TenantScope,
    job: Pick<ImportJob, 'id' | 'platform' | 'createdBy'>,
    signal: AbortSignal,
  ): PlatformCalls {
    const baseUrl = job.platform === 'file' ? undefined : this.baseUrls[job.platform];
    return new PlatformCalls(this.outbound, this.files, this.clock, {
      ...{ scope, job, baseUrl, signal },
      allowed: new AllowedHosts(baseUrl === undefined ? [] : [hostOf(baseUrl)]),
      tally: this.tallyOf(job.id),
    });
  }

  /**
   * Forgets the counts of a job that has ended. If it is resumed, it starts with new counts, perhaps with another
   * account.
   */
  forget(jobId: string): void {
    this.tallies.delete(jobId);
  }

  private tallyOf(jobId: string): PlatformTally {
    const tally = this.tallies.get(jobId) ?? new PlatformTally();
    this.tallies.delete(jobId);
    this.tallies.set(jobId, tally);
    const [oldest] = this.tallies.keys();
    if (this.tallies.size > MOST_TALLIES && oldest !== undefined) this.tallies.delete(oldest);
    return tally;
  }
}

/** Host and port, even if the port is the default: no other port of the host is allowed. */
function hostOf(origin: string): string {
  const { hostname, port, protocol } = new URL(origin);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}
