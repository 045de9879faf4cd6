/** What a workspace is made of, sections 2.1, 2.10 and 3.5, and when its company address is complete. */

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

/** Workspace-wide delivery settings; times are HH:MM on a 24-hour clock. */
export interface WorkspaceSettings {
  readonly frequencyCap?: { readonly max: number; readonly periodHours: number };
  readonly dnd?: { readonly start: string; readonly end: string };
}

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly status: WorkspaceStatus;
  readonly suspendedReason: string | null;
  readonly accountEmailVerified: boolean;
  /** When the workspace went live; null while it has not. */
  readonly liveAt: Date | null;
  readonly company: CompanyInformation;
  readonly sender: Sender;
  readonly settings: WorkspaceSettings;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const ADDRESS_FIELDS = ['name', 'addressLine1', 'city', 'postalCode', 'country'] as const;

/** Whether a commercial email of this company may be sent: every part that a lawful footer needs is present. */
export function isCompanyComplete(company: CompanyInformation): boolean {
  return ADDRESS_FIELDS.every((field) => (company[field] ?? '').trim() !== '');
}
