/** Reads how much of its plan's caps a workspace uses, from the modules that count. */
import { Injectable } from '@nestjs/common';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ApiKeyService } from '../../api-keys/application/api-key.service.js';
import { ContactCounter } from '../../contacts/application/contact-counter.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { MonthlyEmails } from '../../limits/application/monthly-emails.js';
import { MonthlyUsage } from '../../limits/application/monthly-usage.js';
import type { Plan } from '../../limits/domain/plan.js';
import { MemberService } from '../../workspaces/application/member.service.js';
import { periodOf, type Period, type UsedLimit, type AnnouncedLimit } from '../domain/usage.js';

/** Counters that grow by use, in one environment. */
export interface TenantUsage {
  readonly period: Period;
  readonly limits: readonly (UsedLimit & { readonly limitType: AnnouncedLimit })[];
}

@Injectable()
export class UsedLimits {
  constructor(
    private readonly emails: MonthlyEmails,
    private readonly events: MonthlyUsage,
    private readonly contacts: ContactCounter,
    private readonly keys: ApiKeyService,
    private readonly members: MemberService,
    private readonly flows: FlowService,
  ) {}

  /** Usage that grows by itself. Each environment has its own caps. */
  async ofTenant(tx: Transaction, scope: TenantScope, { caps }: Plan, now: Date): Promise<TenantUsage> {
    const { environment } = scope;
    const emails = await this.emails.used(tx, scope, now);
    const events = await this.events.used(tx, scope, now);
    const contacts = await this.contacts.of(tx, scope);
    return {
      period: periodOf(now, emails.renewedAt),
      limits: [
        { limitType: 'emails', environment, current: emails.used, maximum: caps.emails },
        { limitType: 'events', environment, current: events, maximum: caps.events },
        { limitType: 'contacts', environment, current: contacts, maximum: caps.contacts },
      ],
    };
  }

  /** Records that people create. Both environments share the caps. */
  async ofWorkspace(tx: Transaction, scope: WorkspaceScope, { caps }: Plan): Promise<UsedLimit[]> {
    const counts = {
      api_keys: await this.keys.countTowardPlan(tx, scope),
      members: await this.members.countTowardPlan(tx, scope),
      flows: await this.flows.countTowardPlan(tx, scope),
    };
    return (['api_keys', 'members', 'flows'] as const).map((limitType) => ({
      limitType,
      environment: null,
      current: counts[limitType],
      maximum: caps[limitType],
    }));
  }
}
