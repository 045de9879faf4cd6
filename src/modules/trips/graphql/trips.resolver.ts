/**
 * GraphQL queries for trips with their contacts and messages: one query for each kind of data, whatever the number of
 * trips.
 */
import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { encodeCursor, KEY, decodeCursor, sliceAfter, sliceOf } from '../../../kernel/page-cursor.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import {
  connectionOf,
  type Connection,
  type CountedConnection,
  type Edge,
} from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { NestedPageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactService } from '../../contacts/application/contact.service.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';
import { EmailLogService } from '../../delivery/application/email-log.service.js';
import {
  EmailLogConnection,
  emailLogOutput,
  type EmailLogOutput,
} from '../../delivery/output/email-log.output.js';
import { TripService, type ShownTrip } from '../application/trip.service.js';
import { TripsArgs } from '../input/trip-list.input.js';
import { TripConnection, TripOutput, tripOutput } from '../output/trip.output.js';

/** Names of lists, used in their cursors. */
const TRIPS = 'trips';
const MESSAGES = 'messages of a trip';

@Resolver(() => TripOutput)
export class TripsResolver {
  constructor(
    private readonly service: TripService,
    private readonly contactService: ContactService,
    private readonly emailLogService: EmailLogService,
  ) {}

  @Query(() => TripConnection, {
    complexity: COST.search,
    description: 'Trips of the environment, newest first.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async trips(
    @CurrentPrincipal() principal: Principal,
    @Args() args: TripsArgs,
  ): Promise<CountedConnection<TripOutput>> {
    const { flowId, contactId, status, first, after } = args;
    const cursor = decodeCursor(TRIPS, after, KEY.none);
    const { trips, total } = await this.service.list(scopeOf(principal), {
      limit: first + 1,
      offset: 0,
      ...(cursor ? { before: cursor.id } : {}),
      ...(flowId ? { flowId } : {}),
      ...(contactId ? { contactId } : {}),
      ...(status ? { status } : {}),
    });
    const withAddresses = mayReadContacts(principal);
    const edgeOf = (trip: ShownTrip): Edge<TripOutput> => ({
      cursor: encodeCursor(TRIPS, { key: '', id: trip.id }),
      node: tripOutput(trip, withAddresses),
    });
    return { ...connectionOf(sliceOf(trips, first), args, edgeOf), totalCount: total };
  }

  @ResolveField(() => ContactOutput, {
    complexity: COST.record,
    nullable: true,
    description: 'The contact of the trip.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['management'] })
  async contact(
    @Parent() trip: TripOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<ContactOutput | null> {
    return loader(context, 'trips.contact', () => this.contactsById(scopeOf(principal))).load(trip.contactId);
  }

  @ResolveField(() => EmailLogConnection, {
    complexity: COST.record,
    description: 'The trip’s messages, in the order they were created.',
  })
  @Requires({ permission: 'email_logs:read', keyScopes: ['management'] })
  async emailLogs(
    @Parent() trip: TripOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
    @Args() args: NestedPageArgs,
  ): Promise<Connection<Edge<EmailLogOutput>>> {
    const after = decodeCursor(MESSAGES, args.after, KEY.moment);
    const logs = await loader(context, 'trips.emailLogs', () =>
      this.emailLogsByTrip(scopeOf(principal)),
    ).load(trip.id);
    const slice = sliceAfter(logs, { ...args, after }, ({ createdAt, id }, cursor) => {
      const [createdMs, cursorMs] = [createdAt.getTime(), Date.parse(cursor.key)];
      return createdMs > cursorMs || (createdMs === cursorMs && id > cursor.id);
    });
    return connectionOf(slice, args, (log) => ({
      cursor: encodeCursor(MESSAGES, { key: log.createdAt.toISOString(), id: log.id }),
      node: log,
    }));
  }

  private contactsById(scope: TenantScope): DataLoader<string, ContactOutput | null> {
    return new DataLoader(async (ids: readonly string[]) => {
      const contacts = await this.contactService.byIds(scope, ids);
      const byId = new Map(contacts.map((contact) => [contact.id, contact]));
      return ids.map((id) => byId.get(id) ?? null);
    });
  }

  private emailLogsByTrip(scope: TenantScope): DataLoader<string, EmailLogOutput[]> {
    return new DataLoader(async (tripIds: readonly string[]) => {
      const byTrip = new Map<string, EmailLogOutput[]>(tripIds.map((id) => [id, []]));
      for (const log of await this.emailLogService.ofTrips(scope, tripIds))
        byTrip.get(log.originId)?.push(emailLogOutput(log));
      return tripIds.map((id) => byTrip.get(id) ?? []);
    });
  }
}
