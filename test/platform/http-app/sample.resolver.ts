/** A small graph of items that contain items, so that queries can be deep, wide and expensive. */
import {
  Args,
  Context,
  Field,
  Int,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { uuidv7 } from '../../../src/kernel/uuid.js';
import { Public } from '../../../src/modules/access/public.decorator.js';
import { Database } from '../../../src/platform/database/database.js';
import { ReaderDatabase } from '../../../src/platform/database/reader-database.js';
import { type GraphqlContext, loader } from '../../../src/platform/graphql/loaders.js';
import { Gate } from './gate.js';
import { SampleMomentArgs, SamplePageArgs } from './sample.input.js';

@ObjectType('Item')
export class ItemType {
  @Field(() => Int) id: number;
}

@ObjectType('ItemConnection')
export class ItemConnectionType {
  @Field(() => [ItemType]) items: ItemType[];
  @Field(() => Int) total: number;
}

/** Calls of the resolvers, recorded for the tests. */
export const calls = { resolved: 0, batches: [] as (readonly number[])[], late: [] as unknown[] };

@Public()
@Resolver(() => ItemType)
export class SampleResolver {
  constructor(
    private readonly gate: Gate,
    private readonly database: Database,
    private readonly survey: ReaderDatabase,
  ) {}

  @Query(() => ItemConnectionType)
  items(@Args() { first }: SamplePageArgs): ItemConnectionType {
    calls.resolved++;
    return { items: Array.from({ length: Math.min(first ?? 3, 3) }, (_, id) => ({ id })), total: 3 };
  }

  @Query(() => [ItemType])
  everything(): ItemType[] {
    calls.resolved++;
    return [{ id: 1 }];
  }

  @Query(() => String)
  refused(): string {
    throw new DomainError('rate_limit_exceeded', 'Slow down.', { retry_after: 7, limit: 5 });
  }

  @Query(() => String)
  broken(): string {
    throw new Error('secret words of the inside');
  }

  @Query(() => String)
  async slow(): Promise<string> {
    await this.gate.passed();
    // The database calls that a resolver makes after its timeout.
    const scope = { workspaceId: uuidv7(0), environment: 'live' } as const;
    const asked = await Promise.allSettled([
      this.database.inScope(scope, (tx) => tx.query('SELECT 1')),
      this.database.listInScope(scope, (tx) => tx.query('SELECT 1')),
      this.survey.query(scope, 'SELECT 1'),
    ]);
    calls.late = asked.map((one) => (one.status === 'rejected' ? (one.reason as DomainError).code : 'read'));
    return 'at last';
  }

  @Query(() => String)
  moment(@Args() { at }: SampleMomentArgs): string {
    return at.toISOString();
  }

  @ResolveField(() => ItemType)
  async next(@Parent() item: ItemType, @Context() context: GraphqlContext): Promise<ItemType> {
    const items = loader(context, 'items.next', () => {
      return new DataLoader<number, ItemType>((ids) => {
        calls.batches.push(ids);
        return Promise.resolve(ids.map((id) => ({ id: id + 1 })));
      });
    });
    return items.load(item.id);
  }
}
