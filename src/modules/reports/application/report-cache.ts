/**
 * Caches report data for five minutes of the product's clock, section 4.4. Limited in bytes; a workspace over its share
 * evicts its own entries. Keys start with the tenant, so that no tenant sees another's data.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/clock.js';
import { MINUTE } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { ReportData } from '../domain/report-data.js';

const LIFETIME = 5 * MINUTE;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_BYTES_OF_ONE = 4 * 1024 * 1024;

interface Entry {
  readonly workspaceId: string;
  readonly data: ReportData;
  readonly bytes: number;
}

@Injectable()
export class ReportCache {
  /** By workspace, the keys of its entries, oldest first. */
  private readonly kept = new Map<string, Map<string, number>>();
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: ({ workspaceId }, key) => this.forget(workspaceId, key),
  });

  constructor(private readonly clock: Clock) {}

  /** Returns what was cached under the key within the last five minutes. */
  find(scope: TenantScope, key: string): ReportData | undefined {
    const name = nameOf(scope, key);
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    const age = this.clock.now().getTime() - entry.data.generatedAt.getTime();
    if (age >= 0 && age < LIFETIME) return entry.data;
    this.entries.delete(name);
    return undefined;
  }

  keep(scope: TenantScope, key: string, data: ReportData): void {
    const { workspaceId } = scope;
    const bytes = JSON.stringify(data).length + 1;
    if (bytes > MOST_BYTES_OF_ONE) return;
    const name = nameOf(scope, key);
    this.entries.delete(name);
    const kept = this.kept.get(workspaceId);
    let held = [...(kept?.values() ?? [])].reduce((sum, size) => sum + size, bytes);
    for (const [oldest, size] of [...(kept ?? [])]) {
      if (held <= MOST_BYTES_OF_ONE) break;
      held -= size;
      this.entries.delete(oldest);
    }
    this.entries.set(name, { workspaceId, data, bytes });
    this.kept.set(workspaceId, (this.kept.get(workspaceId) ?? new Map<string, number>()).set(name, bytes));
  }

  private forget(workspaceId: string, name: string): void {
    const kept = this.kept.get(workspaceId);
    kept?.delete(name);
    if (kept?.size === 0) this.kept.delete(workspaceId);
  }
}

function nameOf({ workspaceId, environment }: TenantScope, key: string): string {
  return `${workspaceId} ${environment} ${key}`;
}
