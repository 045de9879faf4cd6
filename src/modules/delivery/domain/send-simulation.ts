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
import { checkGates, type GatedMessage, type GateQuery, type GateRules } from './gate-order.js';
import { countsForCap, type GateRefusal, type SendGate } from './send-gates.js';
import type { SendingDomains } from './sender-address.js';
import { freeSlots, periodOf, slotToWaitFor, type Throttle } from './throttle.js';

/** The state of a tenant's sending at the time of the rehearsal. */
export interface SendSimulationInputs {
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

export interface SendSimulationMessage {
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

export type SimulatedSendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'suppressed'; readonly reason: SuppressedReason }
  | { readonly kind: 'failed'; readonly reason: FailureCode };

export type SimulatedSend =
  | SimulatedSendOutcome
  /** To be checked again at that time. */
  | { readonly kind: 'wait'; readonly gate: SendGate; readonly until: Date }
  /** In the throttle queue; `release` takes it out. */
  | { readonly kind: 'in_line' };

/** A message as the gates see it. */
interface GatedSimulatedMessage<Message> extends GatedMessage {
  readonly message: Message;
}

/** All messages belong to one flow. */
const FLOW_SOURCE_ID = 'the flow';

/** Calls must be in chronological order. */
export class SendSimulation<Message extends SendSimulationMessage> {
  /** By contact, when messages that count toward the cap were sent. */
  private readonly counted = new Map<string, number[]>();
  /** When throttle slots were used. Those before `firstUsed` are free again. */
  private readonly slots: number[] = [];
  private firstUsed = 0;
  private readonly throttleQueue = new Heap<Message>((one, other) => one.number < other.number);
  private readonly cancelled = new Set<Message>();

  private readonly rules: GateRules<GatedSimulatedMessage<Message>>;

  constructor(private readonly inputs: SendSimulationInputs) {
    this.rules = {
      workspace: inputs.workspace.settings,
      settingsOf: ({ message }) => message.options.emailSendSettings,
    };
  }

  /** Returns the outcome of a message that is due now. */
  attempt(message: Message, now: Date): SimulatedSend {
    return this.decide(message, false, now);
  }

  /** When the next message can leave the throttle queue; undefined if it is empty. */
  opensAt(now: Date): Date | undefined {
    const { throttle } = this.inputs;
    if (!throttle || this.firstWaiting() === undefined) return undefined;
    const used = this.slotsUsed(throttle, now);
    if (freeSlots(throttle, { used, inHand: 0 }) > 0) return now;
    const position = slotToWaitFor(throttle, { inHand: 0 }) ?? 1;
    return new Date((this.slots[this.slots.length - position] ?? now.getTime()) + periodOf(throttle));
  }

  /** Releases messages from the throttle queue while there are slots, each with its outcome. */
  *release(now: Date): Generator<readonly [Message, SimulatedSend]> {
    const { throttle } = this.inputs;
    if (!throttle) return;
    for (let first = this.firstWaiting(); first !== undefined; first = this.firstWaiting()) {
      if (freeSlots(throttle, { used: this.slotsUsed(throttle, now), inHand: 0 }) === 0) return;
      this.throttleQueue.pop();
      yield [first, this.decide(first, true, now)];
    }
  }

  /** Removes a message from the throttle queue, because it should not be sent any more. */
  cancel(message: Message): void {
    this.cancelled.add(message);
  }

  private decide(message: Message, hasSlot: boolean, now: Date): SimulatedSend {
    const gated: GatedSimulatedMessage<Message> = {
      message,
      contactId: message.contact.id,
      contactTimezone: message.contact.timezone,
      sourceId: this.inputs.throttle ? FLOW_SOURCE_ID : null,
      hasSlot,
    };
    const check = checkGates([gated], this.rules, now);
    let step = check.next();
    while (step.done !== true) {
      this.answer(step.value, now);
      step = check.next();
    }
    const { held, refused } = step.value;
    const wait = held.get(gated);
    if (wait?.gate === 'throttle') {
      this.throttleQueue.push(message);
      return { kind: 'in_line' };
    }
    if (wait) return { kind: 'wait', ...wait };
    const outcome = this.outcomeOf(message, refused.get(gated) ?? null, now);
    if (outcome.kind === 'sent') this.recordSent(message, now);
    return outcome;
  }

  /** Answers from memory. Rules do not change in a rehearsal. */
  private answer(query: GateQuery<GatedSimulatedMessage<Message>>, now: Date): void {
    if (query.about === 'counted') {
      const since = query.since.getTime();
      query.counted = new Map(
        [...query.contactIds].map((id) => [id, { sent: this.countedSince(id, since), inHand: 0 }]),
      );
    }
    if (query.about === 'slots' && !this.hasFreeSlot(now)) query.waiting = new Set(query.messages);
  }

  private outcomeOf(message: Message, refusedBy: GateRefusal | null, now: Date): SimulatedSendOutcome {
    const { contact, hasRefused, suppressedFor, preferences, options, templateSlug } = message;
    const { environment, contentType, workspace, domains } = this.inputs;
    const { email, subscriptionStatus } = contact;
    const template = this.inputs.templates.get(templateSlug) ?? null;
    const receiving = mayReceive(preferences, this.inputs.topics.get(templateSlug) ?? null, now);
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

  private recordSent(message: Message, now: Date): void {
    if (this.inputs.throttle) this.slots.push(now.getTime());
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
    const { throttle } = this.inputs;
    if (!throttle) return true;
    // Waiting messages go first.
    if (this.firstWaiting() !== undefined) return false;
    return freeSlots(throttle, { used: this.slotsUsed(throttle, now), inHand: 0 }) > 0;
  }

  private slotsUsed(throttle: Throttle, now: Date): number {
    const since = now.getTime() - periodOf(throttle);
    while (this.firstUsed < this.slots.length && (this.slots[this.firstUsed] ?? 0) <= since) this.firstUsed++;
    return this.slots.length - this.firstUsed;
  }

  private firstWaiting(): Message | undefined {
    for (let first = this.throttleQueue.peek(); first !== undefined; first = this.throttleQueue.peek()) {
      if (!this.cancelled.delete(first)) return first;
      this.throttleQueue.pop();
    }
    return undefined;
  }
}
