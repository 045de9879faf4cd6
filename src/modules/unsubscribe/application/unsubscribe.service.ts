/**
 * Shows the holder of an email's link the preference page, and carries out what the holder decides, section 4.8: to
 * get no mail, or less of it.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { SharedRuns } from '../../../kernel/shared-runs.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { OptOuts } from '../../contacts/application/opt-outs.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { maskEmails } from '../../contacts/domain/masking.js';
import { isCurrentAddress } from '../../contacts/domain/opt-out.js';
import {
  ContactChoices,
  preferencesOf,
  type OfferedChoices,
} from '../../preferences/application/contact-choices.js';
import { PreferenceChanges } from '../../preferences/application/preference-changes.js';
import { languageFor, type Language } from '../../preferences/domain/language.js';
import type { ChangeChannel } from '../../preferences/domain/preference-change.js';
import { isSubscribedTo, pauseAt } from '../../preferences/domain/preferences.js';
import { localizedTopic } from '../../preferences/domain/topic.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { Unsubscriber } from '../domain/unsubscribe-token.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/** A request made with a link. */
export type LinkRequest =
  | { readonly kind: 'unsubscribe'; readonly way: Extract<ChangeChannel, 'page' | 'one_click'> }
  /** @see PreferenceChanges.choose */
  | { readonly kind: 'choose'; readonly chosen: ReadonlyMap<string, boolean> }
  | { readonly kind: 'pause' | 'resume' | 'come_back' };

export interface PageTopic {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isSubscribed: boolean;
}

/** The data of the page that a link opens. */
export interface PreferencePage {
  readonly language: Language;
  /** The sender name of the workspace; null if the workspace no longer exists. */
  readonly sender: string | null;
  /** The address the email was sent to, masked, since others may see the screen. */
  readonly address: string | null;
  /** URL to which the page's forms are sent, relative to the page. */
  readonly action: string;
  readonly isUnsubscribed: boolean;
  /**
   * Whether the page offers anything besides unsubscribing. It does so only for the current reader of the contact's
   * mail, so not for the link of an email to a former address.
   */
  readonly mayChoose: boolean;
  /** Empty if nothing may be chosen. */
  readonly topics: readonly PageTopic[];
  readonly pausedUntil: Date | null;
  /** The contact's, as stored. */
  readonly timezone: string | null;
}

/** Result of a request. */
export interface LinkResponse {
  readonly page: PreferencePage;
  /** Why the request was not carried out; null if it was. */
  readonly refusal: DomainError | null;
}

/** What is known about the contact of a link, independent of the viewer. */
interface LinkState {
  readonly workspace: Workspace | undefined;
  readonly contact: Contact | undefined;
  readonly isUnsubscribed: boolean;
  /** Undefined if nothing may be chosen. */
  readonly offered: OfferedChoices | undefined;
}

interface LinkOutcome {
  readonly known: LinkState;
  readonly refusal: DomainError | null;
}

/** Maximum number of different changes in progress per link, other than unsubscribing. */
const MAX_CONCURRENT_CHANGES = 4;
const TOO_MANY_CHANGES = new DomainError(
  'rate_limit_exceeded',
  'Another change is being made with this link: try again.',
  {
    retry_after: 1,
  },
);

@Injectable()
export class UnsubscribeService {
  /**
   * A link is a credential that many may have, and is never rejected: concurrent requests for the same data share one
   * run.
   */
  private readonly stateLoads = new SharedRuns<LinkState>();
  private readonly requests = new SharedRuns<LinkOutcome>();
  /** The changes in progress, by link. */
  private readonly changing = new Map<string, Set<string>>();

  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspaceService,
    private readonly contacts: KnownContacts,
    private readonly optOuts: OptOuts,
    private readonly choices: ContactChoices,
    private readonly changes: PreferenceChanges,
    private readonly links: UnsubscribeLinks,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the data for the page of a link; changes nothing.
   * @param accepted the header Accept-Language.
   * @throws DomainError invalid_token.
   */
  async page(token: string, accepted: string | undefined): Promise<PreferencePage> {
    const holder = this.read(token);
    return this.pageOf(token, holder, await this.loadSharedState(holder), accepted);
  }

  /**
   * Carries out the request. Idempotent. Unsubscribing is never rejected: it also applies to deleted and erased
   * contacts, and to the address that the email was sent to.
   * @throws DomainError invalid_token.
   */
  async perform(token: string, request: LinkRequest, accepted: string | undefined): Promise<LinkResponse> {
    const holder = this.read(token);
    const link = JSON.stringify(holder);
    const requestKey = JSON.stringify(request, (_, value: unknown) =>
      value instanceof Map ? [...value] : value,
    );
    const work = (): Promise<LinkOutcome> =>
      this.requests.do(`${link} ${requestKey}`, async () => {
        const refusal = await this.tryCarryOut(holder, request);
        return { known: await this.loadState(holder), refusal };
      });
    const outcome =
      request.kind === 'unsubscribe' ? await work() : await this.withChangeLimit(link, requestKey, work);
    const { known, refusal } = outcome ?? {
      known: await this.loadSharedState(holder),
      refusal: TOO_MANY_CHANGES,
    };
    return { page: this.pageOf(token, holder, known, accepted), refusal };
  }

  /** Runs the work; returns undefined if the link has too many other changes in progress. */
  private async withChangeLimit(
    link: string,
    requestKey: string,
    work: () => Promise<LinkOutcome>,
  ): Promise<LinkOutcome | undefined> {
    const changes = this.changing.get(link) ?? new Set<string>();
    if (!changes.has(requestKey) && changes.size >= MAX_CONCURRENT_CHANGES) return undefined;
    this.changing.set(link, changes.add(requestKey));
    try {
      return await work();
    } finally {
      changes.delete(requestKey);
      if (changes.size === 0) this.changing.delete(link);
    }
  }

  /** Carries out the request. Returns the error if it was rejected for a reason that the page can explain. */
  private async tryCarryOut(holder: Unsubscriber, request: LinkRequest): Promise<DomainError | null> {
    try {
      await this.database.inScope(holder.scope, (tx) => this.carryOut(tx, holder, request));
      return null;
    } catch (error) {
      if (error instanceof DomainError && EXPLAINED_ERRORS.has(error.code)) return error;
      throw error;
    }
  }

  private async carryOut(tx: Transaction, holder: Unsubscriber, request: LinkRequest): Promise<void> {
    const { scope, contactId, messageId } = holder;
    const now = this.clock.now();
    const source = { way: 'page', messageId, actor: null } as const;
    if (request.kind === 'unsubscribe') {
      await this.changes.optOut(tx, scope, holder, { ...source, way: request.way }, now);
      return;
    }
    const [contact] = await this.contacts.find(tx, scope, 'id', [contactId]);
    if (!mayChoose(contact, holder)) throw new DomainError('conflict', 'This link can only unsubscribe.');
    const isUnsubscribed = await this.optOuts.hasOptedOut(tx, scope, holder);
    if (request.kind === 'come_back') return this.changes.optIn(tx, scope, contactId, source, now);
    if (isUnsubscribed) throw new DomainError('conflict', 'The contact is already unsubscribed.');
    if (request.kind === 'choose')
      await this.changes.choose(tx, scope, contactId, request.chosen, source, now);
    else await this.changes[request.kind](tx, scope, contactId, source, now);
  }

  private loadSharedState(holder: Unsubscriber): Promise<LinkState> {
    return this.stateLoads.do(JSON.stringify(holder), () => this.loadState(holder));
  }

  private async loadState(holder: Unsubscriber): Promise<LinkState> {
    const { scope, contactId } = holder;
    const workspace = await this.workspaces.find(scope);
    return this.database.inScope(scope, async (tx) => {
      const [contact] = await this.contacts.find(tx, scope, 'id', [contactId]);
      const isUnsubscribed = await this.optOuts.hasOptedOut(tx, scope, holder);
      const offered = mayChoose(contact, holder)
        ? await this.choices.findIn(tx, scope, [contactId])
        : undefined;
      return { workspace, contact, isUnsubscribed, offered };
    });
  }

  private pageOf(
    token: string,
    { contactId, sentTo }: Unsubscriber,
    { workspace, contact, isUnsubscribed, offered }: LinkState,
    accepted: string | undefined,
  ): PreferencePage {
    const language = languageFor(contact?.locale ?? null, accepted);
    const page = {
      language,
      sender: workspace?.company.name || workspace?.name || null,
      address: sentTo === null || sentTo === '' ? null : maskEmails(sentTo),
      action: this.links.queryOf(token),
      isUnsubscribed,
      timezone: contact?.timezone ?? null,
    };
    if (!offered) return { ...page, mayChoose: false, topics: [], pausedUntil: null };
    const preferences = preferencesOf(offered, contactId);
    return {
      ...page,
      mayChoose: true,
      topics: offered.topics.map((topic) => ({
        key: topic.key,
        ...localizedTopic(topic, language),
        isSubscribed: isSubscribedTo(preferences, topic),
      })),
      pausedUntil: pauseAt(preferences, this.clock.now()),
    };
  }

  private read(token: string): Unsubscriber {
    const unsubscriber = this.links.read(token);
    if (!unsubscriber) throw new DomainError('invalid_token', 'The unsubscribe link is not valid.');
    return unsubscriber;
  }
}

/** Errors that the page explains; all others are thrown. */
const EXPLAINED_ERRORS: ReadonlySet<string> = new Set([
  'conflict',
  'contact_not_found',
  'rate_limit_exceeded',
]);

function mayChoose(contact: Contact | undefined, { sentTo }: Unsubscriber): contact is Contact {
  return (
    contact !== undefined && contact.subscriptionStatus !== 'deleted' && isCurrentAddress(contact, sentTo)
  );
}
