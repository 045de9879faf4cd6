/**
 * Predicts the outcomes of messages: the gates and the decision are the same as for real sends, with caps and the
 * throttle queue kept in memory. A message that nothing holds or forbids counts as sent immediately.
 */
import { Heap } from '../../../kernel/heap.js';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { mayReceive, type Preferences, type TopicRule } from '../../preferences/domain/preferences.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { SendOptions } from './email-log.js';
import {
  decideSend,
  type FailureCode,
  type SendableTemplate,
  type SendingWorkspace,
  type SuppressedReason,
} from './send-decision.js';
import { throughGates, type GatedMessage, type GateQuestion, type GateRules } from './gate-order.js';
import { countsForCap, type GateRefusal, type SendGate } from './send-gates.js';
import type { SendingDomains } from './sender-address.js';
import { freeSlots, periodOf, slotToWaitFor, type Throttle } from './throttle.js';

/** The state of a tenant's sending at the time of the rehearsal. */
export interface RehearsalFacts {
  readonly environment: Environment;
  readonly contentType: ContentType;
  readonly workspace: SendingWorkspace & { readonly settings: WorkspaceSettings };
  readonly templates: ReadonlyMap<string, SendableTemplate>;
  /** The topic of each template that has one, by slug. */
  readonly topics: ReadonlyMap<string, TopicRule>;
  /** The throttle of the flow of these messages; null if it has none. */
  readonly throttle: Throttle | null;
  readonly domains: SendingDomains;
}

export interface RehearsedMessage {
  /** Messages are created in the order of their numbers. */
  readonly number: number;
  readonly templateSlug: string;
  readonly options: SendOptions;
  /** The contact at the time of the check. */
  readonly contact: Pick<Contact, 'id' | 'email' | 'subscriptionStatus' | 'timezone'>;
  readonly hasRefused: boolean;
  readonly suppressedFor: SuppressionReason | null;
  readonly preferences: Preferences;
}

export type RehearsedFate =
  | { readonly kind: 'sent' }
  | { readonly kind: 'suppressed'; readonly reason: SuppressedReason }
  | { readonly kind: 'failed'; readonly reason: FailureCode };

export type Rehearsed =
  | RehearsedFate
  /** To be checked again at that time. */
  | { readonly kind: 'wait'; readonly gate: SendGate; readonly until: Date }
  /** In the throttle queue; `release` takes it out. */
  | { readonly kind: 'in_line' };

/** A message as the gates see it. */
interface AskedMessage<Message> extends GatedMessage {
  readonly message: Message;
}

/** All messages belong to one flow. */
const THE_FLOW = 'the flow';

/** Calls must be in chronological order. */
export class SendRehearsal<Message extends RehearsedMessage> {
  /** By contact, when messages that count toward the cap were sent. */
  private readonly counted = new Map<string, number[]>();
  /** When throttle slots were used. Those before `firstUsed` are free again. */
  private readonly slots: number[] = [];
  private firstUsed = 0;
  private readonly line = new Heap<Message>((one, other) => one.number < other.number);
  private readonly calledOff = new Set<Message>();

  private readonly rules: GateRules<AskedMessage<Message>>;

  constructor(private readonly facts: RehearsalFacts) {
    this.rules = {
      workspace: facts.workspace.settings,
      settingsOf: ({ message }) => message.options.emailSendSettings,
    };
  }

  /** Returns the outcome of a message that is due now. */
  ask(message: Message, now: Date): Rehearsed {
    return this.decide(message, false, now);
  }

  /** When the next message can leave the throttle queue; undefined if it is empty. */
  opensAt(now: Date): Date | undefined {
    const { throttle } = this.facts;
    if (!throttle || this.firstInLine() === undefined) return undefined;
    const used = this.slotsUsed(throttle, now);
    if (freeSlots(throttle, { used, inHand: 0 }) > 0) return now;
    const place = slotToWaitFor(throttle, { inHand: 0 }) ?? 1;
    return new Date((this.slots[this.slots.length - place] ?? now.getTime()) + periodOf(throttle));
  }

  /** Releases messages from the throttle queue while there are slots, each with its outcome. */
  *release(now: Date): Generator<readonly [Message, Rehearsed]> {
    const { throttle } = this.facts;
    if (!throttle) return;
    for (let first = this.firstInLine(); first !== undefined; first = this.firstInLine()) {
      if (freeSlots(throttle, { used: this.slotsUsed(throttle, now), inHand: 0 }) === 0) return;
      this.line.pop();
      yield [first, this.decide(first, true, now)];
    }
  }

  /** Removes a message from the throttle queue, because it should not be sent any more. */
  callOff(message: Message): void {
    this.calledOff.add(message);
  }

  private decide(message: Message, hasSlot: boolean, now: Date): Rehearsed {
    const asked: AskedMessage<Message> = {
      message,
      contactId: message.contact.id,
      contactTimezone: message.contact.timezone,
      sourceId: this.facts.throttle ? THE_FLOW : null,
      hasSlot,
    };
    const passage = throughGates([asked], this.rules, now);
    let step = passage.next();
    while (step.done !== true) {
      this.answer(step.value, now);
      step = passage.next();
    }
    const { held, refused } = step.value;
    const wait = held.get(asked);
    if (wait?.gate === 'throttle') {
      this.line.push(message);
      return { kind: 'in_line' };
    }
    if (wait) return { kind: 'wait', ...wait };
    const fate = this.fateOf(message, refused.get(asked) ?? null, now);
    if (fate.kind === 'sent') this.note(message, now);
    return fate;
  }

  /** Answers from memory. Rules do not change in a rehearsal. */
  private answer(question: GateQuestion<AskedMessage<Message>>, now: Date): void {
    if (question.about === 'counted') {
      const since = question.since.getTime();
      question.counted = new Map(
        [...question.contactIds].map((id) => [id, { sent: this.countedSince(id, since), inHand: 0 }]),
      );
    }
    if (question.about === 'slots' && !this.hasFreeSlot(now)) question.inLine = new Set(question.messages);
  }

  private fateOf(message: Message, refusedBy: GateRefusal | null, now: Date): RehearsedFate {
    const { contact, hasRefused, suppressedFor, preferences, options, templateSlug } = message;
    const { environment, contentType, workspace, domains } = this.facts;
    const { email, subscriptionStatus } = contact;
    const template = this.facts.templates.get(templateSlug) ?? null;
    const receiving = mayReceive(preferences, this.facts.topics.get(templateSlug) ?? null, now);
    const decision = decideSend(
      {
        environment,
        origin: 'trip',
        contentType,
        options,
        workspace,
        contact: { email, subscriptionStatus, hasRefused, suppressedFor },
        objection: receiving.kind === 'no' ? receiving : null,
        template,
        refusedBy,
        domains,
      },
      now,
    );
    if (decision.kind === 'suppress') return { kind: 'suppressed', reason: decision.reason };
    return decision.kind === 'fail' ? { kind: 'failed', reason: decision.code } : { kind: 'sent' };
  }

  private note(message: Message, now: Date): void {
    if (this.facts.throttle) this.slots.push(now.getTime());
    if (!countsForCap(message.options.emailSendSettings)) return;
    const moments = this.counted.get(message.contact.id);
    if (moments) moments.push(now.getTime());
    else this.counted.set(message.contact.id, [now.getTime()]);
  }

  /** Also forgets earlier ones, because earlier times are never checked again. */
  private countedSince(contactId: string, since: number): number {
    const moments = this.counted.get(contactId) ?? [];
    const first = moments.findIndex((moment) => moment > since);
    moments.splice(0, first === -1 ? moments.length : first);
    return moments.length;
  }

  private hasFreeSlot(now: Date): boolean {
    const { throttle } = this.facts;
    if (!throttle) return true;
    // Waiting messages go first.
    if (this.firstInLine() !== undefined) return false;
    return freeSlots(throttle, { used: this.slotsUsed(throttle, now), inHand: 0 }) > 0;
  }

  private slotsUsed(throttle: Throttle, now: Date): number {
    const since = now.getTime() - periodOf(throttle);
    while (this.firstUsed < this.slots.length && (this.slots[this.firstUsed] ?? 0) <= since) this.firstUsed++;
    return this.slots.length - this.firstUsed;
  }

  private firstInLine(): Message | undefined {
    for (let first = this.line.peek(); first !== undefined; first = this.line.peek()) {
      if (!this.calledOff.delete(first)) return first;
      this.line.pop();
    }
    return undefined;
  }
}
