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
import { linkName, LONGEST_AGENT, NOTHING_TOLD, type FeedbackFacts } from '../domain/feedback.js';
import { isMachineMade } from '../domain/machine-made.js';
import { FeedbackIntake } from './feedback-intake.js';

/** The relevant data of a request. */
export interface Visit {
  readonly userAgent: string | undefined;
  readonly method: string;
  readonly isAhead: boolean;
}

/** Milliseconds within which visits of the same message and link count once. */
const ONCE_IN = 10_000;
/** Visits of one message that a process stores within an hour of the first. */
const MOST_OF_MESSAGE = 200;
/** Recent visits that are deduplicated without a database query. */
const REMEMBERED = 50_000;

@Injectable()
export class TrackedVisits {
  private readonly known = new LRUCache<string, true>({ max: REMEMBERED, ttl: ONCE_IN });

  /** Number of visits stored, by message. */
  private readonly kept = new LRUCache<string, number>({ max: REMEMBERED, ttl: HOUR, noUpdateTTL: true });

  constructor(private readonly intake: FeedbackIntake) {}

  /** @param at Unix time in milliseconds; real time, since visits belong to HTTP. */
  async take(tracked: Tracked, { userAgent, method, isAhead }: Visit, at: number): Promise<void> {
    const { scope, messageId } = tracked;
    const isClick = tracked.kind === 'click';
    const facts: FeedbackFacts = {
      ...NOTHING_TOLD,
      kind: isClick ? 'clicked' : 'opened',
      // Without characters that PostgreSQL rejects.
      userAgent: userAgent?.slice(0, LONGEST_AGENT).replaceAll('\0', '').toWellFormed() ?? null,
      method,
      isAhead,
      link: isClick ? linkName(tracked.target) : null,
    };
    const isMachine = isMachineMade({
      ...facts,
      kind: isClick ? 'clicked' : 'opened',
      sinceSent: null,
    });
    const moment = Math.floor(at / ONCE_IN);
    const key = ['visit', messageId, facts.link ?? 'open', isMachine ? 'machine' : 'person', moment].join(
      ':',
    );
    const kept = this.kept.get(messageId) ?? 0;
    if (this.known.has(key) || kept >= MOST_OF_MESSAGE) return;
    this.kept.set(messageId, kept + 1);
    await this.intake.takeOf(scope, messageId, {
      key,
      type: `tracked.${tracked.kind}`,
      facts,
      happenedAt: undefined,
    });
    this.known.set(key, true);
  }
}
