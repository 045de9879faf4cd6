/** The preferences of contacts in GraphQL; one query for any number of contacts. */
import { Args, Context, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { Clock } from '../../../kernel/clock.js';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';
import { ContactChoices, preferencesOf, type OfferedChoices } from '../application/contact-choices.js';
import type { PreferenceChange } from '../domain/preference-change.js';
import { choiceOf, isSubscribedTo, pauseAt } from '../domain/preferences.js';
import { OptInArgs, OptOutArgs, PreferenceChangesArgs } from '../input/contact-choice.input.js';
import {
  ContactPreferencesOutput,
  PreferenceChangeConnection,
} from '../output/contact-preferences.output.js';

/** List name in its cursors. */
const CHANGES = 'preference changes';
const WRITE = { permission: 'contacts:write', keyScopes: ['data'], contactWrite: true } as const;

@Resolver(() => ContactOutput)
export class ContactPreferencesResolver {
  constructor(
    private readonly choices: ContactChoices,
    private readonly clock: Clock,
  ) {}

  @ResolveField(() => ContactPreferencesOutput, {
    complexity: COST.record,
    description: 'The contact’s preferences for promotional mail.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async preferences(
    @Parent() contact: ContactOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<ContactPreferencesOutput> {
    const preferences = loader(
      context,
      'contacts.preferences',
      () =>
        new DataLoader(async (ids: readonly string[]) => {
          const choices = await this.choices.find(scopeOf(principal), ids);
          return ids.map((id) => this.outputOf(choices, id));
        }),
    );
    return preferences.load(contact.id);
  }

  @Query(() => PreferenceChangeConnection, {
    complexity: COST.list,
    description: 'Changes to a contact’s preferences and how they were made, newest first.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async preferenceChanges(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PreferenceChangesArgs,
  ): Promise<Connection<Edge<PreferenceChange>>> {
    const page = { first: args.first, after: decodeCursor(CHANGES, args.after, KEY.none) };
    const slice = await this.choices.history(scopeOf(principal), args.id, page);
    return connectionOf(slice, args, (node) => ({
      cursor: encodeCursor(CHANGES, { key: '', id: node.id }),
      node,
    }));
  }

  @Mutation(() => ContactPreferencesOutput, {
    complexity: COST.change,
    description:
      'Opts a contact out of one topic or of all promotional mail, at the contact’s request. Only the contact ' +
      'can undo this, on its preference page.',
  })
  @Requires(WRITE)
  async optContactOut(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, topic }: OptOutArgs,
  ): Promise<ContactPreferencesOutput> {
    const scope = scopeOf(principal);
    const contactId = await this.choices.optOut(scope, id, topic ?? null, actorOf(principal));
    return this.outputOf(await this.choices.find(scope, [contactId]), contactId);
  }

  @Mutation(() => ContactPreferencesOutput, {
    complexity: COST.change,
    description:
      'Opts a contact in to a topic, for example after it signed up in a form on your site. Returns `conflict` ' +
      'if the contact has opted out of the topic.',
  })
  @Requires(WRITE)
  async optContactIn(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, topic }: OptInArgs,
  ): Promise<ContactPreferencesOutput> {
    const scope = scopeOf(principal);
    const contactId = await this.choices.optIn(scope, id, topic, actorOf(principal));
    return this.outputOf(await this.choices.find(scope, [contactId]), contactId);
  }

  private outputOf(choices: OfferedChoices, contactId: string): ContactPreferencesOutput {
    const preferences = preferencesOf(choices, contactId);
    return {
      pausedUntil: pauseAt(preferences, this.clock.now()),
      topics: choices.topics.map((topic) => ({
        topic,
        isSubscribed: isSubscribedTo(preferences, topic),
        isChosen: choiceOf(preferences.choices, topic.key) !== undefined,
      })),
    };
  }
}
