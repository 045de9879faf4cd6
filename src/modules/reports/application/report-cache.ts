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

const ENTRY_TTL_MS = 5 * MINUTE;
const MAX_CACHE_BYTES = 32 * 1024 * 1024;
const MAX_WORKSPACE_BYTES = 4 * 1024 * 1024;

interface Entry {
  readonly workspaceId: string;
  readonly data: ReportData;
  readonly bytes: number;
}

@Injectable()
export class ReportCache {
  /** By workspace, the keys of its entries, oldest first. */
  private readonly keysByWorkspace = new Map<string, Map<string, number>>();
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: ({ workspaceId }, key) => this.forget(workspaceId, key),
  });

  constructor(private readonly clock: Clock) {}

  /** Returns what was cached under the key within the last five minutes. */
  find(scope: TenantScope, key: string): ReportData | undefined {
    const name = entryKeyOf(scope, key);
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    const age = this.clock.now().getTime() - entry.data.generatedAt.getTime();
    if (age >= 0 && age < ENTRY_TTL_MS) return entry.data;
    this.entries.delete(name);
    return undefined;
  }

  store(scope: TenantScope, key: string, data: ReportData): void {
    const { workspaceId } = scope;
    const bytes = JSON.stringify(data).length + 1;
    if (bytes > MAX_WORKSPACE_BYTES) return;
    const name = entryKeyOf(scope, key);
    this.entries.delete(name);
    const keys = this.keysByWorkspace.get(workspaceId);
    let totalBytes = [...(keys?.values() ?? [])].reduce((sum, size) => sum + size, bytes);
    for (const [oldest, size] of [...(keys ?? [])]) {
      if (totalBytes <= MAX_WORKSPACE_BYTES) break;
      totalBytes -= size;
      this.entries.delete(oldest);
    }
    this.entries.set(name, { workspaceId, data, bytes });
    this.keysByWorkspace.set(
      workspaceId,
      (this.keysByWorkspace.get(workspaceId) ?? new Map<string, number>()).set(name, bytes),
    );
  }

  private forget(workspaceId: string, name: string): void {
    const keys = this.keysByWorkspace.get(workspaceId);
    keys?.delete(name);
    if (keys?.size === 0) this.keysByWorkspace.delete(workspaceId);
  }
}

function entryKeyOf({ workspaceId, environment }: TenantScope, key: string): string {
  return `${workspaceId} ${environment} ${key}`;
}
