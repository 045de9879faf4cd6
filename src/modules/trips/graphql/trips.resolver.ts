/** Trips for the dashboard, with their contacts and messages; whatever the number of trips, one query for each kind. */
import { Args, Context, ID, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactService } from '../../contacts/application/contact.service.js';
import { contactType, ContactType } from '../../contacts/graphql/contact.type.js';
import { EmailLogService } from '../../delivery/application/email-log.service.js';
import { emailLogTypeOf, EmailLogType } from '../../delivery/graphql/email-log.type.js';
import { TripService } from '../application/trip.service.js';
import { TripPageType, TripType, tripType } from './trip.type.js';

const LARGEST_PAGE = 200;

@Resolver(() => TripType)
export class TripsResolver {
  constructor(
    private readonly service: TripService,
    private readonly contactService: ContactService,
    private readonly emailLogService: EmailLogService,
  ) {}

  @Query(() => TripPageType, {
    complexity: COST.search,
    description: 'Trips of the environment, newest first.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async trips(
    @CurrentPrincipal() principal: Principal,
    @Args('flowId', { type: () => ID, nullable: true }) flowId: string | null,
    @Args('contactId', { type: () => ID, nullable: true }) contactId: string | null,
    @Args('status', { type: () => String, nullable: true }) status: string | null,
    @Args('limit', { type: () => Int, defaultValue: 50 }) limit: number,
    @Args('offset', { type: () => Int, defaultValue: 0 }) offset: number,
  ): Promise<TripPageType> {
    const { trips, total } = await this.service.list(scopeOf(principal), {
      limit: Math.min(Math.max(limit, 1), LARGEST_PAGE),
      offset: Math.max(offset, 0),
      ...(flowId === null ? {} : { flowId }),
      ...(contactId === null ? {} : { contactId }),
      ...(status === null ? {} : { status }),
    });
    return { trips: trips.map(tripType), total };
  }

  @ResolveField(() => ContactType, {
    complexity: COST.record,
    nullable: true,
    description: 'Whose trip it is.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['management'] })
  async contact(
    @Parent() trip: TripType,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<ContactType | null> {
    return loader(context, 'trips.contact', () => this.contactsById(scopeOf(principal))).load(trip.contactId);
  }

  @ResolveField(() => [EmailLogType], {
    complexity: COST.record,
    description: 'The trip’s messages, in the order of its steps.',
  })
  @Requires({ permission: 'email_logs:read', keyScopes: ['management'] })
  async emailLogs(
    @Parent() trip: TripType,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<EmailLogType[]> {
    return loader(context, 'trips.emailLogs', () => this.emailLogsByTrip(scopeOf(principal))).load(trip.id);
  }

  private contactsById(scope: TenantScope): DataLoader<string, ContactType | null> {
    return new DataLoader(async (ids: readonly string[]) => {
      const contacts = await this.contactService.byIds(scope, ids);
      const byId = new Map(contacts.map((contact) => [contact.id, contactType(contact)]));
      return ids.map((id) => byId.get(id) ?? null);
    });
  }

  private emailLogsByTrip(scope: TenantScope): DataLoader<string, EmailLogType[]> {
    return new DataLoader(async (tripIds: readonly string[]) => {
      const byTrip = new Map<string, EmailLogType[]>(tripIds.map((id) => [id, []]));
      for (const log of await this.emailLogService.ofTrips(scope, tripIds))
        byTrip.get(log.originId)?.push(emailLogTypeOf(log));
      return tripIds.map((id) => byTrip.get(id) ?? []);
    });
  }
}
