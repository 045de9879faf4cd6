/** Creates the calls for a job's time slice. Counts of the job's earlier calls are remembered until it ends. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { MigrationBaseUrls } from '../../../platform/config/migrations.js';
import { AllowedHosts } from '../../../platform/outbound/allowed-hosts.js';
import { GuardedFetch } from '../../../platform/outbound/guarded-fetch.js';
import type { ImportJob } from '../domain/import-job.js';
import { PlatformUsage } from '../domain/platform-usage.js';
import { ImportFiles } from './import-files.js';
import { PlatformCalls } from './platform-calls.js';

/** Maximum number of jobs whose counts are remembered. */
const MAX_TRACKED_JOBS = 1_000;

@Injectable()
export class PlatformCallsFactory {
  /** By job id, the most recently used last. */
  private readonly usages = new Map<string, PlatformUsage>();
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
      usage: this.usageOf(job.id),
    });
  }

  /**
   * Forgets the counts of a job that has ended. If it is resumed, it starts with new counts, perhaps with another
   * account.
   */
  deleteUsage(jobId: string): void {
    this.usages.delete(jobId);
  }

  private usageOf(jobId: string): PlatformUsage {
    const usage = this.usages.get(jobId) ?? new PlatformUsage();
    this.usages.delete(jobId);
    this.usages.set(jobId, usage);
    const [oldest] = this.usages.keys();
    if (this.usages.size > MAX_TRACKED_JOBS && oldest !== undefined) this.usages.delete(oldest);
    return usage;
  }
}

/** Host and port, even if the port is the default: no other port of the host is allowed. */
function hostOf(origin: string): string {
  const { hostname, port, protocol } = new URL(origin);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}
