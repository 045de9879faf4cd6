/**
 * A workspace's domain and its life cycle: pending until its records are published, then verified; failing once they
 * disappear, and after a grace period unverified, until they are published again.
 */
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { recordsOf, type DnsRecord, type RecordFinding } from './dns-record.js';

export const DOMAIN_STATUSES = ['pending', 'verified', 'failing', 'unverified'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** The statuses in which mail is sent from the domain. */
export const USABLE_STATUSES: readonly DomainStatus[] = ['verified', 'failing'];

/** Maximum number of domains of a workspace. */
export const MAX_DOMAINS = 20;

/**
 * `signing`: signs mail. `next`: replaces the signing key once its record is published. `retiring`: no longer signs;
 * its record stays for mail that is still in transit.
 */
export const KEY_ROLES = ['signing', 'next', 'retiring'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

/** A key that signs the domain's mail. Its private half exists only in the storage of keys. */
export interface DkimKey {
  readonly id: string;
  readonly selector: string;
  /** As published in the record: SubjectPublicKeyInfo in base64. */
  readonly publicKey: string;
  readonly role: KeyRole;
  /** When a retiring key is removed; null in other roles. */
  readonly retireAt: Date | null;
  readonly createdAt: Date;
}

export interface SendingDomain {
  readonly id: string;
  readonly domain: string;
  /** Published in the DNS, it proves that the owner of the domain means this workspace. */
  readonly token: string;
  readonly status: DomainStatus;
  /** Another workspace holds the domain, although this one has published its token too. */
  readonly isHeldElsewhere: boolean;
  /** Since when it has its status; for a failing domain, since when it fails. */
  readonly statusSince: Date;
  /** When it was last verified; null if it never was. */
  readonly verifiedAt: Date | null;
  readonly findings: readonly RecordFinding[];
  /** When the DNS was last queried for its records. */
  readonly checkedAt: Date | null;
  /** When they will be checked again; null if no check is scheduled. */
  readonly checkAt: Date | null;
  readonly keys: readonly DkimKey[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A domain belongs to both environments of its workspace; work on it is queued in `live`. */
export function domainScope({ workspaceId }: WorkspaceScope): TenantScope {
  return { workspaceId, environment: 'live' };
}

export function keyIn(domain: Pick<SendingDomain, 'keys'>, role: KeyRole): DkimKey | undefined {
  return domain.keys.find((key) => key.role === role);
}

const KEY_NOTES: Readonly<Record<KeyRole, string>> = {
  signing: 'Lets receivers verify that mail from the domain is yours.',
  next: 'The next key. It is used once this record is found.',
  retiring: 'The previous key. You can remove this record once it is no longer listed.',
};

/** The records that the workspace sets, required ones first. */
export function recordsOfDomain(domain: SendingDomain, sharedDomain: string): DnsRecord[] {
  const keys = KEY_ROLES.flatMap((role) => {
    const key = keyIn(domain, role);
    return key ? [{ ...key, note: KEY_NOTES[role] }] : [];
  });
  return recordsOf({ domain: domain.domain, token: domain.token, keys, sharedDomain });
}

/** The result of the last check of a record. */
export function findingOf({ findings }: SendingDomain, { type, host }: DnsRecord): RecordFinding {
  const found = findings.find((finding) => finding.type === type && finding.host === host);
  return found ?? { type, host, state: 'unknown', found: [] };
}
