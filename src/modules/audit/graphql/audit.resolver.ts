/** The audit log of the caller's workspace. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { isPermitted } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { AuditLog } from '../application/audit-log.js';
import type { AuditAction } from '../domain/audit-entry.js';
import { AuditLogArgs } from '../input/audit.input.js';
import { AuditEntryConnection, AuditEntryOutput, auditEntryOutput } from '../output/audit-entry.output.js';

/** Identifies cursors of this list. */
const LIST = 'audit log';

const BILLING_ACTIONS: readonly AuditAction[] = ['billing_changed', 'subscription_confirmed'];

@Resolver(() => AuditEntryOutput)
export class AuditResolver {
  constructor(private readonly log: AuditLog) {}

  @Query(() => AuditEntryConnection, {
    complexity: COST.list,
    description: 'Changes to members and to workspace-wide settings, newest first.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async auditLog(
    @CurrentPrincipal() principal: Principal,
    @Args() args: AuditLogArgs,
  ): Promise<Connection<Edge<AuditEntryOutput>>> {
    const page = { first: args.first, after: decodeCursor(LIST, args.after, KEY.none) };
    const slice = await this.log.page(scopeOf(principal), args.subjectId ?? null, page);
    const seesBilling = isPermitted(principal, 'billing:write');
    return connectionOf(slice, args, (entry) => ({
      cursor: encodeCursor(LIST, { key: '', id: entry.id }),
      // That the plan changed is visible to all; only the owner may see payments.
      node: auditEntryOutput(
        BILLING_ACTIONS.includes(entry.action) && !seesBilling
          ? { ...entry, before: null, after: null }
          : entry,
      ),
    }));
  }
}
