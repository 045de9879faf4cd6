/** Campaign statistics and progress for the dashboard. Calls the same service methods as REST. */
import { Args, ID, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor, sliceOf } from '../../../kernel/page-cursor.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { connectionOf, type CountedConnection } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { assertReadsContacts, mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { CampaignAbTests } from '../application/campaign-ab-tests.js';
import { CampaignViews } from '../application/campaign-views.js';
import {
  CampaignInstancesArgs,
  CampaignNumbersArgs,
  CampaignRecipientsArgs,
} from '../input/campaign-dashboard.input.js';
import { AbResultsOutput } from '../output/ab-results.output.js';
import {
  CampaignInstanceConnection,
  type CampaignInstanceOutput,
  campaignNumbers,
  CampaignNumbersOutput,
  CampaignProgressOutput,
  campaignProgressOutput,
  CampaignRecipientConnection,
  type CampaignRecipientOutput,
  instanceOutput,
  recipientOutput,
} from '../output/campaign-numbers.output.js';

const RECIPIENTS = 'recipients of a campaign';
const INSTANCES = 'instances of a campaign';
const READ = { permission: 'campaigns:read' } as const;

@Resolver()
export class CampaignNumbersResolver {
  constructor(
    private readonly views: CampaignViews,
    private readonly tests: CampaignAbTests,
  ) {}

  @Query(() => CampaignNumbersOutput, {
    complexity: COST.list,
    description:
      'Results of a campaign. For a recurring campaign, the sum of its instances, or a single instance.',
  })
  @Requires(READ)
  async campaignNumbers(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, instanceId }: CampaignNumbersArgs,
  ): Promise<CampaignNumbersOutput> {
    return campaignNumbers(await this.views.analytics(scopeOf(principal), id, instanceId ?? null));
  }

  @Query(() => CampaignProgressOutput, {
    complexity: COST.record,
    description: 'Progress of the sending: how much is done, the throughput and the estimated time left.',
  })
  @Requires(READ)
  async campaignProgress(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignProgressOutput> {
    return campaignProgressOutput(await this.views.progress(scopeOf(principal), id));
  }

  @Query(() => CampaignInstanceConnection, {
    complexity: COST.list,
    description: 'Instances of a campaign, newest first.',
  })
  @Requires(READ)
  async campaignInstances(
    @CurrentPrincipal() principal: Principal,
    @Args() args: CampaignInstancesArgs,
  ): Promise<CountedConnection<CampaignInstanceOutput>> {
    const { id, first } = args;
    const after = decodeCursor(INSTANCES, args.after, KEY.number)?.key;
    const page = { limit: first + 1, offset: 0, before: after === undefined ? null : Number(after) };
    const { instances, total } = await this.views.list(scopeOf(principal), id, page);
    const listed = connectionOf(sliceOf(instances, first), args, (one) => ({
      cursor: encodeCursor(INSTANCES, { key: String(one.instance.number), id: one.instance.id }),
      node: instanceOutput(one),
    }));
    return { ...listed, totalCount: total };
  }

  @Query(() => CampaignRecipientConnection, {
    complexity: COST.search,
    description:
      'Recipients of a campaign and the outcome for each. Without permission to read contacts, addresses are ' +
      'masked and not searched.',
  })
  @Requires(READ)
  async campaignRecipients(
    @CurrentPrincipal() principal: Principal,
    @Args() args: CampaignRecipientsArgs,
  ): Promise<CountedConnection<CampaignRecipientOutput>> {
    const { id, first, filter } = args;
    const { status = null, variant = null, instanceId = null, search = null } = filter;
    if (search !== null) assertReadsContacts(principal);
    const recipientFilter = { status, variant, instanceId, search };
    const cursor = decodeCursor(RECIPIENTS, args.after, isUuid);
    const page = { limit: first + 1, offset: 0, after: cursor };
    const { recipients, total } = await this.views.recipients(scopeOf(principal), id, recipientFilter, page);
    const mayRead = mayReadContacts(principal);
    const listed = connectionOf(sliceOf(recipients, first), args, (recipient) => ({
      cursor: encodeCursor(RECIPIENTS, { key: recipient.instanceId, id: recipient.contactId }),
      node: recipientOutput(recipient, mayRead),
    }));
    return { ...listed, totalCount: total };
  }

  @Query(() => AbResultsOutput, {
    complexity: COST.list,
    description: 'A/B test results. For a recurring campaign, those of its latest instance.',
  })
  @Requires(READ)
  async campaignAbResults(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<AbResultsOutput> {
    return this.tests.results(scopeOf(principal), id);
  }
}
