/** The record of a workspace, sections 2.1, 2.10 and 3.5, and the rule for a complete company address. */
import type { CustomRates } from '../../../kernel/principal.js';
import { DAY, HOUR } from '../../../kernel/duration.js';

export const WORKSPACE_STATUSES = ['active', 'suspended'] as const;

export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

export const COMPANY_FIELDS = [
  'name',
  'addressLine1',
  'addressLine2',
  'city',
  'region',
  'postalCode',
  'country',
] as const;
export type CompanyInformation = { readonly [Field in (typeof COMPANY_FIELDS)[number]]?: string };

export const SENDER_FIELDS = ['fromEmail', 'fromName', 'replyTo'] as const;
export type Sender = { readonly [Field in (typeof SENDER_FIELDS)[number]]?: string };

/** Characters of a line of the company's name and address. */
export const MAX_COMPANY_LINE_LENGTH = 255;

/** Characters of a display name. */
export const MAX_SENDER_NAME_LENGTH = 255;

/** Delivery settings of the workspace; times are HH:MM on a 24-hour clock. */
export interface WorkspaceSettings {
  /** At most `max` messages to one contact in any `periodHours` hours. */
  readonly frequencyCap?: { readonly max: number; readonly periodHours: number };
  /** Hours in which nothing is sent; in the contact's time zone if it is `contact` or not set. */
  readonly dnd?: { readonly start: string; readonly end: string; readonly timezone?: string };
  /** The IANA zone of contacts without one; UTC if not set. */
  readonly timezone?: string;
  /** Which engagement is tracked; none if not set. */
  readonly tracking?: {
    readonly opens: boolean;
    readonly clicks: boolean;
    /** Also in transactional mail. */
    readonly transactional: boolean;
  };
  /** Names of the operator's transports for live mail, in the order in which they are tried; all if not set. */
  readonly mailTransports?: readonly string[];
}

/** The literal for the contact's own zone. */
export const CONTACT_TIME_ZONE = 'contact';

/** A larger cap would have no effect. */
export const MAX_FREQUENCY_CAP = 10_000;
/** Hours: a year. */
export const MAX_CAP_PERIOD_HOURS = 8_760;

/** The maximum that an operator may configure. */
export const MAX_MAIL_TRANSPORTS = 11;

/** The error in a choice of the operator's transports; undefined if it is valid. */
export function transportsProblem(chosen: readonly string[], known: readonly string[]): string | undefined {
  const unknownName = chosen.find((name) => !known.includes(name));
  if (unknownName !== undefined)
    return known.length === 0
      ? 'must be omitted: the operator has configured no transports'
      : `must be one of ${known.join(', ')}`;
  return new Set(chosen).size < chosen.length ? 'must not contain duplicates' : undefined;
}

/** A change of the settings: omitted members do not change, null removes. */
export type SettingsChange = { readonly [Name in keyof WorkspaceSettings]?: WorkspaceSettings[Name] | null };

/** A change of the sender: omitted members do not change, null removes. */
export type SenderChange = { readonly [Name in keyof Sender]?: Sender[Name] | null };

/** A change of the company: omitted members do not change, null removes. */
export type CompanyChange = { readonly [Name in keyof CompanyInformation]?: CompanyInformation[Name] | null };

/** A change of the custom rates: omitted members do not change, null removes. */
export type CustomRatesChange = { readonly [Name in keyof CustomRates]?: CustomRates[Name] | null };

/** The custom rates after a change. */
export function changedRates(rates: CustomRates, change: CustomRatesChange): CustomRates {
  return withoutNulls({ ...rates, ...change });
}

/** The settings after a change. */
export function changedSettings(settings: WorkspaceSettings, change: SettingsChange): WorkspaceSettings {
  return withoutNulls({ ...settings, ...change });
}

/** The sender after a change. */
export function changedSender(sender: Sender, change: SenderChange): Sender {
  return withoutNulls({ ...sender, ...change });
}

/** The company after a change. */
export function changedCompany(company: CompanyInformation, change: CompanyChange): CompanyInformation {
  return withoutNulls({ ...company, ...change });
}

function withoutNulls<Record extends object>(record: {
  readonly [Name in keyof Record]: Record[Name] | null;
}): Record {
  const entries = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Record;
}

export function isTimeOfDay(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly status: WorkspaceStatus;
  readonly suspendedReason: string | null;
  readonly accountEmailVerified: boolean;
  /** When the workspace went live; null if it has not. */
  readonly liveAt: Date | null;
  /** When its data is deleted; until then it is suspended. */
  readonly deletionAt: Date | null;
  /** Whether the deletion has begun and can no longer be cancelled. */
  readonly isBeingDeleted: boolean;
  readonly company: CompanyInformation;
  readonly sender: Sender;
  readonly settings: WorkspaceSettings;
  /** Request rates set by the operator; they apply where the plan allows custom rates. */
  readonly customRates: CustomRates;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The part of a workspace that payments change, section 2.10. */
export interface BillingRecord extends Pick<Workspace, 'plan' | 'status' | 'suspendedReason'> {
  readonly paymentSubscriptionId: string | null;
  readonly paymentCustomerId: string | null;
}

/** The record, and the data that limits how payments may change it. */
export interface BillingState extends BillingRecord {
  /** The plan set by the operator, stored while a subscription sets another one; null if there is none. */
  readonly grantedPlan: string | null;
  readonly customRates: CustomRates;
}

export function billingRecordOf({
  customRates: _rates,
  grantedPlan: _plan,
  ...record
}: BillingState): BillingRecord {
  return record;
}

const ADDRESS_FIELDS = ['name', 'addressLine1', 'city', 'postalCode', 'country'] as const;

/** Whether the company may send commercial email: every part that a lawful footer needs is present. */
export function isCompanyComplete(company: CompanyInformation): boolean {
  return ADDRESS_FIELDS.every((field) => (company[field] ?? '').trim() !== '');
}

/** The state of a workspace that decides whether work is done for it. */
export interface WorkspaceState {
  readonly plan: string;
  /** Whether it is suspended or to be deleted, so that its work must wait. */
  readonly isStill: boolean;
}

/** A missing requirement, as a stable code. */
type GoLiveGap = 'account_email' | 'company' | 'api_key';

const GAP_DESCRIPTIONS: Readonly<Record<GoLiveGap, string>> = {
  account_email: 'the account email is not verified',
  company: 'the company information is incomplete (name, address_line1, city, postal_code, country)',
  api_key: 'there is no API key',
};

/** All missing requirements of live sending (operations page, "Going live"); empty if the workspace may go live. */
export function missingForGoLive(workspace: Workspace, hasApiKey: boolean): readonly GoLiveGap[] {
  const gaps: GoLiveGap[] = [];
  if (!workspace.accountEmailVerified) gaps.push('account_email');
  if (!isCompanyComplete(workspace.company)) gaps.push('company');
  if (!hasApiKey) gaps.push('api_key');
  return gaps;
}

/** The gaps as a sentence for a person. */
export function describeGaps(gaps: readonly GoLiveGap[]): string {
  return `The workspace cannot go live yet: ${gaps.map((gap) => GAP_DESCRIPTIONS[gap]).join('; ')}.`;
}

/** Milliseconds between the order of a deletion and the deletion; the owner can cancel it meanwhile. */
export const DELETION_GRACE_MS = 14 * DAY;

/**
 * Milliseconds between the deletion of a workspace's data and that of its own row, before which a second pass deletes
 * what other transactions wrote meanwhile.
 */
export const SECOND_PASS_DELAY_MS = HOUR;

/** The reason why a workspace to be deleted is read-only. */
export const DELETION_SUSPENDED_REASON = 'to_be_deleted';

/** Whether the typed text is the workspace's name, which is unlikely to be typed by mistake. */
export function matchesName(typed: string, name: string): boolean {
  return typed.trim().normalize() === name.trim().normalize();
}
