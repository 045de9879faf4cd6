/** Accepts the events of payment providers: stored before the answer, and once, however often an event is delivered. */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { depthOf, isJsonObject } from '../../../kernel/json.js';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { DAY } from '../../../kernel/duration.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { WorkspaceBilling } from '../../workspaces/application/workspace-billing.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type {
  BillingEvent,
  BillingFailure,
  BillingSource,
  Confirmation,
  ParsedBillingEvent,
} from '../domain/billing-event.js';
import { readPaymentEvent } from '../domain/read-payment-event.js';
import { readSubscriptionEvent } from '../domain/read-subscription-event.js';
import { BillingEventRepository } from '../persistence/billing-event.repository.js';
import { UnmatchedBillingEventRepository } from '../persistence/unmatched-billing-event.repository.js';
import { SubscriptionRepository } from '../persistence/subscription.repository.js';
import { CheckoutTokens } from './checkout-tokens.js';

/** How long an unmatched event is kept. */
const UNMATCHED_RETENTION_MS = 90 * DAY;

const PARSERS = { payment: readPaymentEvent, billing: readSubscriptionEvent } as const;

/** A received event: its text, and its parsed value if it can be parsed. */
export interface Delivery {
  readonly source: BillingSource;
  readonly text: string;
  readonly value: unknown;
}

/** The workspace of an event; undefined if it is not known. */
interface Attribution {
  readonly workspaceId: string | undefined;
  readonly confirmation: Confirmation | null;
}

@Injectable()
export class BillingIntake {
  constructor(
    private readonly workspaces: WorkspaceService,
    private readonly billing: WorkspaceBilling,
    private readonly subscriptions: SubscriptionRepository,
    private readonly events: BillingEventRepository,
    private readonly unmatchedEvents: UnmatchedBillingEventRepository,
    private readonly checkoutTokens: CheckoutTokens,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /** Stores a received event for its workspace, or as an unmatched one that can be replayed. */
  async receive(delivery: Delivery): Promise<void> {
    const { source, text } = delivery;
    const { key, event, workspaceId } = await this.read(delivery);
    if (event && workspaceId !== undefined) {
      await this.store(workspaceId, key, source, event);
      return;
    }
    const failure: BillingFailure = event ? 'unknown_workspace' : 'malformed';
    const now = this.clock.now();
    const unmatched = { key, source, body: text.replaceAll('\0', '\ufffd'), failure, receivedAt: now };
    if (!(await this.unmatchedEvents.insert(unmatched, new Date(now.getTime() - UNMATCHED_RETENTION_MS))))
      return;
    this.metrics.billingFailures.inc({ reason: failure });
    // Not under the name `key`, whose value the log hides.
    this.logger.error(
      { delivery: key, source, type: event?.type, failure },
      'A billing event matches no workspace',
    );
  }

  /**
   * Matches an unmatched event again.
   * @returns whether its workspace was found and the event was queued.
   */
  async rematch({ source, text, value }: Delivery): Promise<boolean> {
    const { key, event, workspaceId } = await this.read({ source, text, value });
    if (!event || workspaceId === undefined) return false;
    await this.store(workspaceId, key, source, event);
    return true;
  }

  private async read({ source, text, value }: Delivery): Promise<{
    readonly key: string;
    readonly event: BillingEvent | undefined;
    readonly workspaceId: string | undefined;
  }> {
    // Real time, because the provider's clock uses it.
    const now = new Date();
    const read = PARSERS[source](value, this.config.paymentPlanPrefix, now);
    const key = keyOf(source, text, value);
    if (!read) return { key, event: undefined, workspaceId: undefined };
    const { workspaceId, confirmation } = await this.attributionOf(source, read);
    const { checkoutToken: _token, ...event } = read;
    return { key, event: { ...event, confirmation }, workspaceId };
  }

  /**
   * Finds the workspace of an event, and what confirms that the purchase is the workspace's own: by its subscription,
   * else by the owner's checkout token, else by the workspace id passed through the provider, else by its customer.
   * From the second provider, the customer is only what the buyer entered, and so is the workspace id.
   */
  private async attributionOf(source: BillingSource, event: ParsedBillingEvent): Promise<Attribution> {
    const { subscriptionId, customerId, workspaceId, checkoutToken, at } = event;
    const buyer = checkoutToken === null ? undefined : this.checkoutTokens.workspaceOf(checkoutToken, at);
    if (subscriptionId !== null) {
      const found =
        (await this.billing.workspaceOf('subscription', subscriptionId)) ??
        (await this.subscriptions.workspaceOf(subscriptionId));
      if (found !== undefined)
        return { workspaceId: found, confirmation: found === buyer ? 'checkout' : null };
    }
    if (buyer !== undefined && (await this.workspaces.find({ workspaceId: buyer })))
      return { workspaceId: buyer, confirmation: 'checkout' };
    if (workspaceId !== null && (await this.workspaces.find({ workspaceId })))
      return { workspaceId, confirmation: null };
    return {
      workspaceId: customerId === null ? undefined : await this.billing.workspaceOf('customer', customerId),
      confirmation: source === 'payment' ? 'link' : null,
    };
  }

  private async store(
    workspaceId: string,
    key: string,
    source: BillingSource,
    event: BillingEvent,
  ): Promise<void> {
    const now = this.clock.now();
    const id = uuidv7(now.getTime());
    if (await this.events.insert({ workspaceId }, { id, key, source, event }, now))
      this.dispatcher.wake(WAKE_UPS.billing, { workspaceId, environment: 'live' });
  }
}

/** JSON with more levels is identified by its text. */
const MAX_JSON_DEPTH = 32;

/** Returns the same key for the same event, regardless of when it arrives and of the order of its members. */
function keyOf(source: BillingSource, text: string, value: unknown): string {
  const isReadable = isJsonObject(value) && depthOf(value, MAX_JSON_DEPTH) < MAX_JSON_DEPTH;
  const identity = isReadable ? JSON.stringify(withSortedKeys(value)) : text;
  return createHash('sha256').update(`${source}\n${identity}`).digest('hex');
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, withSortedKeys(value[name])]),
  );
}
