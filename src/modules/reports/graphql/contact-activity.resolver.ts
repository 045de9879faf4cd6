/** The timeline of a contact for the dashboard. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { roleAllows, type Permission } from '../../access/domain/permission.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactActivityService } from '../application/contact-activity.service.js';
import { ACTIVITY_KINDS, type ActivityKind } from '../domain/activity.js';
import { ContactActivityArgs } from '../input/contact-activity.input.js';
import {
  ContactActivityConnection,
  contactActivityOutput,
  type ContactActivityOutput,
} from '../output/contact-activity.output.js';

/** The permission that each kind needs: the same as for a list of its records. */
const REQUIRED_PERMISSIONS: Readonly<Record<ActivityKind, Permission>> = {
  event: 'contacts:read',
  trip_started: 'flows:read',
  email: 'email_logs:read',
  trip_ended: 'flows:read',
};

interface ShownActivities extends Connection<Edge<ContactActivityOutput>> {
  readonly shownKinds: readonly ActivityKind[];
}

@Resolver()
export class ContactActivityResolver {
  constructor(private readonly activities: ContactActivityService) {}

  @Query(() => ContactActivityConnection, {
    complexity: COST.search,
    nullable: true,
    description:
      'A contact’s events, emails and trips, newest first. Null if no contact has this ID or external_id. ' +
      'Emails require permission to read email logs, trips permission to read flows.',
  })
  @Requires({ permission: 'contacts:read' })
  async contactActivity(
    @CurrentPrincipal() principal: Principal,
    @Args() args: ContactActivityArgs,
  ): Promise<ShownActivities | null> {
    const kinds = kindsFor(principal);
    const request = { kinds, first: args.first, after: args.after ?? null };
    const page = await this.activities.page(scopeOf(principal), args.contactId, request);
    if (!page) return null;
    const slice = { items: page.entries, hasNextPage: page.hasNextPage };
    const edges = connectionOf(slice, args, ({ activity, cursor }) => ({
      cursor,
      node: contactActivityOutput(activity),
    }));
    return { ...edges, shownKinds: kinds };
  }
}

function kindsFor(principal: Principal): readonly ActivityKind[] {
  return ACTIVITY_KINDS.filter(
    (kind) => principal.kind === 'member' && roleAllows(principal.role, REQUIRED_PERMISSIONS[kind]),
  );
}
