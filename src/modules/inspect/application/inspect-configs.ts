/** The settings of quality analysis of a workspace (section 4.7: config). */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { ConfigChange, InspectConfig } from '../domain/runs/inspect-config.js';
import { changedConfig } from '../domain/runs/inspect-config.js';
import { InspectConfigRepository } from '../persistence/inspect-config.repository.js';

@Injectable()
export class InspectConfigs {
  constructor(
    private readonly database: Database,
    private readonly configs: InspectConfigRepository,
    private readonly clock: Clock,
  ) {}

  async get(scope: WorkspaceScope): Promise<InspectConfig> {
    return this.database.inScope(scope, (tx) => this.configs.find(tx, scope));
  }

  /** Replaces the fields that the change contains; the rest stays. */
  async change(scope: WorkspaceScope, change: ConfigChange): Promise<InspectConfig> {
    return this.database.inScope(scope, async (tx) => {
      await this.configs.lock(tx, scope);
      const config = changedConfig(await this.configs.find(tx, scope), change);
      await this.configs.upsert(tx, scope, config, this.clock.now());
      return config;
    });
  }
}
