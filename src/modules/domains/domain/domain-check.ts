/** Decides what follows from a check of a domain's records, and when the next check is due. */
import { DAY, HOUR, MINUTE } from '../../../kernel/duration.js';
import { dkimHost, type RecordFinding } from './dns-record.js';
import { areAllOk } from './judge-record.js';
import {
  findingOf,
  USABLE_STATUSES,
  keyIn,
  recordsOfDomain,
  type DkimKey,
  type DomainStatus,
  type SendingDomain,
} from './sending-domain.js';

/** How long mail is still sent from a verified domain after its records have disappeared. */
export const GRACE_MS = 72 * HOUR;
/** How long the record of a former key is required: as long as mail may be in transit, and some days more. */
export const KEY_OVERLAP_MS = 7 * DAY;
/** After this time without the records, checks only run on request. */
const MAX_AUTO_CHECK_MS = 30 * DAY;

interface CheckInterval {
  readonly minMs: number;
  readonly maxMs: number;
}
/** Each pause is half of the time that has passed, within these bounds. */
const PENDING_INTERVAL: CheckInterval = { minMs: MINUTE, maxMs: 12 * HOUR };
const FAILING_INTERVAL: CheckInterval = { minMs: 15 * MINUTE, maxMs: 6 * HOUR };
const VERIFIED_INTERVAL_MS = DAY;
/** The pause when the DNS gave no answer for a verified domain. */
const UNANSWERED_INTERVAL_MS = HOUR;

export interface CheckedDomain extends SendingDomain {
  readonly checkedAt: Date;
}

/** What a check depends on besides the domain. */
export interface CheckInputs {
  readonly sharedDomain: string;
  /** Whether no other workspace holds the domain. */
  readonly mayHold: boolean;
  /** When the DNS was queried. */
  readonly askedAt: Date;
  /** 0 to 1; spreads checks over time. */
  readonly jitter: number;
}

/** Whether the findings are out of date: a check that started later has already finished. */
export function isSuperseded({ checkedAt }: SendingDomain, askedAt: Date): boolean {
  return checkedAt !== null && checkedAt > askedAt;
}

/**
 * The domain after a check of its records.
 * @param findings of its records as they were queried; there is none for a key that is newer than the check.
 */
export function afterCheck(
  domain: SendingDomain,
  findings: readonly RecordFinding[],
  { sharedDomain, mayHold, askedAt, jitter }: CheckInputs,
  now: Date,
): CheckedDomain {
  const keys = keysAfter({ ...domain, findings }, now);
  const updated: SendingDomain = { ...domain, findings, keys };
  const required = recordsOfDomain(updated, sharedDomain).filter(({ isRequired }) => isRequired);
  const isProven = areAllOk(required.map((record) => findingOf(updated, record).state));
  const status = statusAfter(domain, isProven, mayHold, now);
  const checked: CheckedDomain = {
    ...updated,
    status,
    statusSince: status === domain.status ? domain.statusSince : now,
    isHeldElsewhere: isProven === true && !mayHold && !USABLE_STATUSES.includes(status),
    verifiedAt: status === 'verified' && isProven === true ? now : domain.verifiedAt,
    checkedAt: askedAt,
    updatedAt: now,
  };
  return { ...checked, checkAt: nextCheck(checked, isProven, jitter, now) };
}

/** The last moment at which mail is sent from the domain; null if there is no end. */
export function usableUntil({ status, statusSince }: SendingDomain): Date | null {
  return status === 'failing' ? new Date(statusSince.getTime() + GRACE_MS) : null;
}

/** A missing DNS answer does not count against a domain, but does not extend its grace period either. */
function statusAfter(
  domain: SendingDomain,
  isProven: boolean | undefined,
  mayHold: boolean,
  now: Date,
): DomainStatus {
  switch (domain.status) {
    case 'pending':
    case 'unverified':
      return isProven === true && mayHold ? 'verified' : domain.status;
    case 'verified':
      return isProven === false ? 'failing' : 'verified';
    case 'failing':
      if (isProven === true) return 'verified';
      return now.getTime() - domain.statusSince.getTime() >= GRACE_MS ? 'unverified' : 'failing';
  }
}

/** The next key signs once its record is published; the former key is removed after KEY_OVERLAP_MS. */
function keysAfter(domain: SendingDomain, now: Date): DkimKey[] {
  const isNextPublished = domain.findings.some(
    ({ host, state }) =>
      state === 'ok' && host === dkimHost(keyIn(domain, 'next')?.selector ?? '', domain.domain),
  );
  return domain.keys.flatMap((key): DkimKey[] => {
    if (key.role === 'retiring') return key.retireAt !== null && key.retireAt <= now ? [] : [key];
    if (!isNextPublished) return [key];
    if (key.role === 'next') return [{ ...key, role: 'signing' }];
    return [{ ...key, role: 'retiring', retireAt: new Date(now.getTime() + KEY_OVERLAP_MS) }];
  });
}

function nextCheck(
  domain: CheckedDomain,
  isProven: boolean | undefined,
  jitter: number,
  now: Date,
): Date | null {
  const since = now.getTime() - domain.statusSince.getTime();
  const spread = (pause: number): number => now.getTime() + pause * (0.95 + jitter / 10);
  const growing = ({ minMs, maxMs }: CheckInterval): number =>
    spread(Math.min(Math.max(since / 2, minMs), maxMs));
  const ends = domain.keys.flatMap(({ retireAt }) => retireAt?.getTime() ?? []);
  switch (domain.status) {
    case 'pending':
    case 'unverified':
      return since >= MAX_AUTO_CHECK_MS ? null : new Date(growing(PENDING_INTERVAL));
    case 'failing':
      return new Date(Math.min(growing(FAILING_INTERVAL), domain.statusSince.getTime() + GRACE_MS));
    case 'verified': {
      if (keyIn(domain, 'next')) return new Date(spread(nextKeyIntervalMs(domain, now)));
      return new Date(
        Math.min(spread(isProven === undefined ? UNANSWERED_INTERVAL_MS : VERIFIED_INTERVAL_MS), ...ends),
      );
    }
  }
}

/** The owner who sets the record of a new key is waiting for the result. */
function nextKeyIntervalMs(domain: SendingDomain, now: Date): number {
  const waitedMs = now.getTime() - (keyIn(domain, 'next')?.createdAt.getTime() ?? 0);
  return Math.min(Math.max(waitedMs / 2, PENDING_INTERVAL.minMs), PENDING_INTERVAL.maxMs);
}
