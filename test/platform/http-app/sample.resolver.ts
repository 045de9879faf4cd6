/** A small graph: items that hold items, so that queries can be deep, wide and dear. */
import {
  Args,
  ArgsType,
  Context,
  Field,
  GraphQLISODateTime,
  Int,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import { IsOptional, Max } from 'class-validator';
import DataLoader from 'dataloader';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { Public } from '../../../src/modules/access/public.decorator.js';
import { type GraphqlContext, loader } from '../../../src/platform/graphql/loaders.js';
import { Gate } from './gate.js';

@ObjectType('Item')
export class ItemType {
  @Field(() => Int) id: number;
}

@ObjectType('ItemPage')
export class ItemPageType {
  @Field(() => [ItemType]) items: ItemType[];
  @Field(() => Int) total: number;
}

@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true }) @IsOptional() @Max(2_000) limit?: number;
}

/** What the resolvers did, for tests to look at. */
export const calls = { resolved: 0, batches: [] as (readonly number[])[] };

@Public()
@Resolver(() => ItemType)
export class SampleResolver {
  constructor(private readonly gate: Gate) {}

  @Query(() => ItemPageType)
  items(@Args() { limit }: PageArgs): ItemPageType {
    calls.resolved++;
    return { items: Array.from({ length: Math.min(limit ?? 3, 3) }, (_, id) => ({ id })), total: 3 };
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
    return 'at last';
  }

  @Query(() => String)
  moment(@Args('at', { type: () => GraphQLISODateTime }) at: Date): string {
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
