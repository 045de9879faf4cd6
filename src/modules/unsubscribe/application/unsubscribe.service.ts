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
import { Refusals } from '../../contacts/application/refusals.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { maskEmails } from '../../contacts/domain/masking.js';
import { isPresentAddress } from '../../contacts/domain/refusal.js';
import {
  ContactChoices,
  preferencesOf,
  type OfferedChoices,
} from '../../preferences/application/contact-choices.js';
import { PreferenceChanges } from '../../preferences/application/preference-changes.js';
import { languageFor, type Language } from '../../preferences/domain/language.js';
import type { ChangeWay } from '../../preferences/domain/preference-change.js';
import { isSubscribedTo, pauseAt } from '../../preferences/domain/preferences.js';
import { topicWords } from '../../preferences/domain/topic.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { Unsubscriber } from '../domain/unsubscribe-token.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/** A request made with a link. */
export type LinkRequest =
  | { readonly kind: 'unsubscribe'; readonly way: Extract<ChangeWay, 'page' | 'one_click'> }
  /** @see PreferenceChanges.choose */
  | { readonly kind: 'choose'; readonly chosen: ReadonlyMap<string, boolean> }
  | { readonly kind: 'pause' | 'resume' | 'come_back' };

export interface ShownTopic {
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
  readonly topics: readonly ShownTopic[];
  readonly pausedUntil: Date | null;
  /** The contact's, as stored. */
  readonly timezone: string | null;
}

/** Result of a request. */
export interface Answered {
  readonly page: PreferencePage;
  /** Why the request was not carried out; null if it was. */
  readonly refusal: DomainError | null;
}

/** What is known about the contact of a link, independent of the viewer. */
interface Known {
  readonly workspace: Workspace | undefined;
  readonly contact: Contact | undefined;
  readonly isUnsubscribed: boolean;
  /** Undefined if nothing may be chosen. */
  readonly offered: OfferedChoices | undefined;
}

interface CarriedOut {
  readonly known: Known;
  readonly refusal: DomainError | null;
}

/** Maximum number of different changes in progress per link, other than unsubscribing. */
const MOST_CHANGES = 4;
const TOO_MANY = new DomainError(
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
  private readonly looks = new SharedRuns<Known>();
  private readonly requests = new SharedRuns<CarriedOut>();
  /** The changes in progress, by link. */
  private readonly changing = new Map<string, Set<string>>();

  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspaceService,
    private readonly contacts: KnownContacts,
    private readonly refusals: Refusals,
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
    const who = this.read(token);
    return this.shown(token, who, await this.sharedLook(who), accepted);
  }

  /**
   * Carries out the request. Idempotent. Unsubscribing is never rejected: it also applies to deleted and erased
   * contacts, and to the address that the email was sent to.
   * @throws DomainError invalid_token.
   */
  async answer(token: string, request: LinkRequest, accepted: string | undefined): Promise<Answered> {
    const who = this.read(token);
    const link = JSON.stringify(who);
    const wish = JSON.stringify(request, (_, value: unknown) => (value instanceof Map ? [...value] : value));
    const work = (): Promise<CarriedOut> =>
      this.requests.do(`${link} ${wish}`, async () => {
        const refusal = await this.refusalOf(who, request);
        return { known: await this.look(who), refusal };
      });
    const done = request.kind === 'unsubscribe' ? await work() : await this.inTurn(link, wish, work);
    const { known, refusal } = done ?? { known: await this.sharedLook(who), refusal: TOO_MANY };
    return { page: this.shown(token, who, known, accepted), refusal };
  }

  /** Runs the work; returns undefined if the link has too many other changes in progress. */
  private async inTurn(
    link: string,
    wish: string,
    work: () => Promise<CarriedOut>,
  ): Promise<CarriedOut | undefined> {
    const changes = this.changing.get(link) ?? new Set<string>();
    if (!changes.has(wish) && changes.size >= MOST_CHANGES) return undefined;
    this.changing.set(link, changes.add(wish));
    try {
      return await work();
    } finally {
      changes.delete(wish);
      if (changes.size === 0) this.changing.delete(link);
    }
  }

  /** Carries out the request. Returns the error if it was rejected for a reason that the page can explain. */
  private async refusalOf(who: Unsubscriber, request: LinkRequest): Promise<DomainError | null> {
    try {
      await this.database.inScope(who.scope, (tx) => this.carryOut(tx, who, request));
      return null;
    } catch (error) {
      if (error instanceof DomainError && EXPLAINED.has(error.code)) return error;
      throw error;
    }
  }

  private async carryOut(tx: Transaction, who: Unsubscriber, request: LinkRequest): Promise<void> {
    const { scope, contactId, messageId } = who;
    const now = this.clock.now();
    const source = { way: 'page', messageId, actor: null } as const;
    if (request.kind === 'unsubscribe') {
      await this.changes.optOut(tx, scope, who, { ...source, way: request.way }, now);
      return;
    }
    const [contact] = await this.contacts.find(tx, scope, 'id', [contactId]);
    if (!mayChoose(contact, who)) throw new DomainError('conflict', 'This link can only unsubscribe.');
    const isUnsubscribed = await this.refusals.hasRefused(tx, scope, who);
    if (request.kind === 'come_back') return this.changes.comeBack(tx, scope, contactId, source, now);
    if (isUnsubscribed) throw new DomainError('conflict', 'The contact is already unsubscribed.');
    if (request.kind === 'choose')
      await this.changes.choose(tx, scope, contactId, request.chosen, source, now);
    else await this.changes[request.kind](tx, scope, contactId, source, now);
  }

  private sharedLook(who: Unsubscriber): Promise<Known> {
    return this.looks.do(JSON.stringify(who), () => this.look(who));
  }

  private async look(who: Unsubscriber): Promise<Known> {
    const { scope, contactId } = who;
    const workspace = await this.workspaces.find(scope);
    return this.database.inScope(scope, async (tx) => {
      const [contact] = await this.contacts.find(tx, scope, 'id', [contactId]);
      const isUnsubscribed = await this.refusals.hasRefused(tx, scope, who);
      const offered = mayChoose(contact, who) ? await this.choices.ofIn(tx, scope, [contactId]) : undefined;
      return { workspace, contact, isUnsubscribed, offered };
    });
  }

  private shown(
    token: string,
    { contactId, sentTo }: Unsubscriber,
    { workspace, contact, isUnsubscribed, offered }: Known,
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
        ...topicWords(topic, language),
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
const EXPLAINED: ReadonlySet<string> = new Set(['conflict', 'contact_not_found', 'rate_limit_exceeded']);

function mayChoose(contact: Contact | undefined, { sentTo }: Unsubscriber): contact is Contact {
  return (
    contact !== undefined && contact.subscriptionStatus !== 'deleted' && isPresentAddress(contact, sentTo)
  );
}
