/** Decides what follows from a check of a domain's records, and when the next check is due. */
import { DAY, HOUR, MINUTE } from '../../../kernel/duration.js';
import { dkimHost, type RecordFinding } from './dns-record.js';
import { areAllOk } from './judge-record.js';
import {
  findingOf,
  HELD,
  keyIn,
  recordsOfDomain,
  type DkimKey,
  type DomainStatus,
  type SendingDomain,
} from './sending-domain.js';

/** How long mail is still sent from a verified domain after its records have disappeared. */
export const GRACE = 72 * HOUR;
/** How long the record of a former key is required: as long as mail may be in transit, and some days more. */
export const KEY_OVERLAP = 7 * DAY;
/** After this time without the records, checks only run on request. */
const PATIENCE = 30 * DAY;

interface Pauses {
  readonly least: number;
  readonly most: number;
}
/** Each pause is half of the time that has passed, within these bounds. */
const PENDING: Pauses = { least: MINUTE, most: 12 * HOUR };
const FAILING: Pauses = { least: 15 * MINUTE, most: 6 * HOUR };
const VERIFIED = DAY;
/** The pause when the DNS gave no answer for a verified domain. */
const UNTOLD = HOUR;

export interface CheckedDomain extends SendingDomain {
  readonly checkedAt: Date;
}

/** What a check depends on besides the domain. */
export interface CheckGround {
  readonly sharedDomain: string;
  /** Whether no other workspace holds the domain. */
  readonly mayHold: boolean;
  /** When the DNS was queried. */
  readonly askedAt: Date;
  /** 0 to 1; spreads checks over time. */
  readonly luck: number;
}

/** Whether the findings are out of date: a check that started later has already finished. */
export function isOutrun({ checkedAt }: SendingDomain, askedAt: Date): boolean {
  return checkedAt !== null && checkedAt > askedAt;
}

/**
 * The domain after a check of its records.
 * @param findings of its records as they were queried; there is none for a key that is newer than the check.
 */
export function afterCheck(
  domain: SendingDomain,
  findings: readonly RecordFinding[],
  { sharedDomain, mayHold, askedAt, luck }: CheckGround,
  now: Date,
): CheckedDomain {
  const keys = keysAfter({ ...domain, findings }, now);
  const seen: SendingDomain = { ...domain, findings, keys };
  const required = recordsOfDomain(seen, sharedDomain).filter(({ isRequired }) => isRequired);
  const isProven = areAllOk(required.map((record) => findingOf(seen, record).state));
  const status = statusAfter(domain, isProven, mayHold, now);
  const checked: CheckedDomain = {
    ...seen,
    status,
    statusSince: status === domain.status ? domain.statusSince : now,
    isHeldElsewhere: isProven === true && !mayHold && !HELD.includes(status),
    verifiedAt: status === 'verified' && isProven === true ? now : domain.verifiedAt,
    checkedAt: askedAt,
    updatedAt: now,
  };
  return { ...checked, checkAt: nextCheck(checked, isProven, luck, now) };
}

/** The last moment at which mail is sent from the domain; null if there is no end. */
export function usableUntil({ status, statusSince }: SendingDomain): Date | null {
  return status === 'failing' ? new Date(statusSince.getTime() + GRACE) : null;
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
      return now.getTime() - domain.statusSince.getTime() >= GRACE ? 'unverified' : 'failing';
  }
}

/** The next key signs once its record is published; the former key is removed after KEY_OVERLAP. */
function keysAfter(domain: SendingDomain, now: Date): DkimKey[] {
  const isNextThere = domain.findings.some(
    ({ host, state }) =>
      state === 'ok' && host === dkimHost(keyIn(domain, 'next')?.selector ?? '', domain.domain),
  );
  return domain.keys.flatMap((key): DkimKey[] => {
    if (key.role === 'retiring') return key.retireAt !== null && key.retireAt <= now ? [] : [key];
    if (!isNextThere) return [key];
    if (key.role === 'next') return [{ ...key, role: 'signing' }];
    return [{ ...key, role: 'retiring', retireAt: new Date(now.getTime() + KEY_OVERLAP) }];
  });
}

function nextCheck(
  domain: CheckedDomain,
  isProven: boolean | undefined,
  luck: number,
  now: Date,
): Date | null {
  const since = now.getTime() - domain.statusSince.getTime();
  const spread = (pause: number): number => now.getTime() + pause * (0.95 + luck / 10);
  const grown = ({ least, most }: Pauses): number => spread(Math.min(Math.max(since / 2, least), most));
  const ends = domain.keys.flatMap(({ retireAt }) => retireAt?.getTime() ?? []);
  switch (domain.status) {
    case 'pending':
    case 'unverified':
      return since >= PATIENCE ? null : new Date(grown(PENDING));
    case 'failing':
      return new Date(Math.min(grown(FAILING), domain.statusSince.getTime() + GRACE));
    case 'verified': {
      if (keyIn(domain, 'next')) return new Date(spread(nextKeyPause(domain, now)));
      return new Date(Math.min(spread(isProven === undefined ? UNTOLD : VERIFIED), ...ends));
    }
  }
}

/** The owner who sets the record of a new key is waiting for the result. */
function nextKeyPause(domain: SendingDomain, now: Date): number {
  const waited = now.getTime() - (keyIn(domain, 'next')?.createdAt.getTime() ?? 0);
  return Math.min(Math.max(waited / 2, PENDING.least), PENDING.most);
}
