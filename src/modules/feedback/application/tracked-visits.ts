/**
 * Stores opens and clicks from a message's own image and links before the response. Repeats of the same message and
 * link within ten seconds are ignored, so reloads or a flood add almost nothing. Machines and people are deduplicated
 * separately, so a scanner that comes first does not hide the person's visit. Visits per message and hour are
 * limited, because anyone can request its links any number of times.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { HOUR } from '../../../kernel/duration.js';
import type { Tracked } from '../../tracking/domain/tracking-token.js';
import { MAX_USER_AGENT_CHARS } from '../../delivery/domain/provider-event.js';
import { linkName, EMPTY_FEEDBACK, type FeedbackData } from '../domain/feedback.js';
import { isMachineMade } from '../domain/machine-made.js';
import { FeedbackIntake } from './feedback-intake.js';

/** The relevant data of a request. */
export interface Visit {
  readonly userAgent: string | undefined;
  readonly method: string;
  readonly isPrefetch: boolean;
}

/** Milliseconds within which visits of the same message and link count once. */
const DEDUPLICATION_MS = 10_000;
/** Visits of one message that a process stores within an hour of the first. */
const MAX_VISITS_PER_MESSAGE = 200;
/** Recent visits that are deduplicated without a database query. */
const MAX_CACHED_VISITS = 50_000;

@Injectable()
export class TrackedVisits {
  private readonly recentVisits = new LRUCache<string, true>({
    max: MAX_CACHED_VISITS,
    ttl: DEDUPLICATION_MS,
  });

  /** Number of visits stored, by message. */
  private readonly storedVisits = new LRUCache<string, number>({
    max: MAX_CACHED_VISITS,
    ttl: HOUR,
    noUpdateTTL: true,
  });

  constructor(private readonly intake: FeedbackIntake) {}

  /** @param at Unix time in milliseconds; real time, since visits belong to HTTP. */
  async record(tracked: Tracked, { userAgent, method, isPrefetch }: Visit, at: number): Promise<void> {
    const { scope, messageId } = tracked;
    const isClick = tracked.kind === 'click';
    const facts: FeedbackData = {
      ...EMPTY_FEEDBACK,
      kind: isClick ? 'clicked' : 'opened',
      // Without characters that PostgreSQL rejects.
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_CHARS).replaceAll('\0', '').toWellFormed() ?? null,
      method,
      isPrefetch,
      link: isClick ? linkName(tracked.target) : null,
    };
    const isMachine = isMachineMade({
      ...facts,
      kind: isClick ? 'clicked' : 'opened',
      sinceSent: null,
    });
    const timeBucket = Math.floor(at / DEDUPLICATION_MS);
    const key = ['visit', messageId, facts.link ?? 'open', isMachine ? 'machine' : 'person', timeBucket].join(
      ':',
    );
    const stored = this.storedVisits.get(messageId) ?? 0;
    if (this.recentVisits.has(key) || stored >= MAX_VISITS_PER_MESSAGE) return;
    this.storedVisits.set(messageId, stored + 1);
    await this.intake.acceptForMessage(scope, messageId, {
      key,
      type: `tracked.${tracked.kind}`,
      facts,
      happenedAt: undefined,
    });
    this.recentVisits.set(key, true);
  }
}
