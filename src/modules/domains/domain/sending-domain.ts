/**
 * A workspace's domain and its life: pending until its records are there, verified, failing when they are not any more,
 * and after a time of grace unverified, until they are there again.
 */
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { recordsOf, type DnsRecord, type RecordFinding } from './dns-record.js';

export const DOMAIN_STATUSES = ['pending', 'verified', 'failing', 'unverified'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** Those of which mail is sent. */
export const HELD: readonly DomainStatus[] = ['verified', 'failing'];

/** Domains of a workspace. */
export const MOST_DOMAINS = 20;

/**
 * `signing`: mail is signed by it. `next`: takes its place once its record is there. `retiring`: signs no more, and its
 * record stays for mail that is still on its way.
 */
export const KEY_ROLES = ['signing', 'next', 'retiring'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

/** A key that signs the domain's mail; its private half is nowhere but in the storage of keys. */
export interface DkimKey {
  readonly id: string;
  readonly selector: string;
  /** As the record has it: SubjectPublicKeyInfo in base64. */
  readonly publicKey: string;
  readonly role: KeyRole;
  /** When a retiring key is removed; null in other roles. */
  readonly retireAt: Date | null;
  readonly createdAt: Date;
}

export interface SendingDomain {
  readonly id: string;
  readonly domain: string;
  /** Proves, where the DNS shows it, that whoever owns the domain means this workspace. */
  readonly token: string;
  readonly status: DomainStatus;
  /** Another workspace holds it, though this one has shown its proof too. */
  readonly isHeldElsewhere: boolean;
  /** Since when it is in its status, but for a failing one since when it fails. */
  readonly statusSince: Date;
  /** When it was verified last; null where it never was. */
  readonly verifiedAt: Date | null;
  readonly findings: readonly RecordFinding[];
  /** When the DNS was last asked for its records. */
  readonly checkedAt: Date | null;
  /** When they will be looked at again; null where nobody does so any more. */
  readonly checkAt: Date | null;
  readonly keys: readonly DkimKey[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Domains are of both environments of their workspace; work on them is queued in this one. */
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

/** The records that the workspace sets, those that are needed first. */
export function recordsOfDomain(domain: SendingDomain, sharedDomain: string): DnsRecord[] {
  const keys = KEY_ROLES.flatMap((role) => {
    const key = keyIn(domain, role);
    return key ? [{ ...key, note: KEY_NOTES[role] }] : [];
  });
  return recordsOf({ domain: domain.domain, token: domain.token, keys, sharedDomain });
}

/** What was found of a record when it was last looked at. */
export function findingOf({ findings }: SendingDomain, { type, host }: DnsRecord): RecordFinding {
  const found = findings.find((finding) => finding.type === type && finding.host === host);
  return found ?? { type, host, state: 'unknown', found: [] };
}
