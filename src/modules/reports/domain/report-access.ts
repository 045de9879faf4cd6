/** Who may see a report, and who may change it, section 4.4. */
import { DomainError } from '../../../kernel/domain-error.js';
import { scopeOf, type Principal, type Role } from '../../../kernel/principal.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Report } from './report.js';

/** The user or API key that accesses reports. */
export interface ReportViewer {
  readonly scope: TenantScope;
  /** Null for an API key; all keys of a workspace count as one. */
  readonly memberId: string | null;
  readonly role: Role | null;
}

type Owned = Pick<Report, 'isTemplate' | 'visibility' | 'createdBy'>;

/** Roles that may change the reports of others. */
const MANAGER_ROLES: readonly Role[] = ['owner', 'admin'];

export function viewerOf(principal: Principal): ReportViewer {
  const scope = scopeOf(principal);
  return principal.kind === 'member'
    ? { scope, memberId: principal.memberId, role: principal.role }
    : { scope, memberId: null, role: null };
}

/** Everyone in the workspace sees templates and shared reports; only the creator sees a private one. */
export function mayView(viewer: ReportViewer, report: Owned): boolean {
  return report.isTemplate || report.visibility === 'workspace' || isCreator(viewer, report);
}

/** Whether a visible report may be changed, deleted, shared and scheduled. Templates may not, by anyone. */
export function mayChange(viewer: ReportViewer, report: Owned): boolean {
  if (report.isTemplate) return false;
  return isCreator(viewer, report) || (report.visibility === 'workspace' && isManager(viewer));
}

/**
 * Rejects a viewer who can see a report but may not change it.
 * @throws DomainError template_report_read_only, insufficient_role; `your_role` of an API key is null.
 */
export function assertMayChange(viewer: ReportViewer, report: Owned): void {
  if (report.isTemplate)
    throw new DomainError(
      'template_report_read_only',
      'A template report cannot be changed: duplicate it and change the copy.',
    );
  if (!mayChange(viewer, report))
    throw new DomainError(
      'insufficient_role',
      `This report can only be changed by its creator and by members with the role ${MANAGER_ROLES.join(' or ')}.`,
      { required_roles: MANAGER_ROLES, your_role: viewer.role },
    );
}

function isCreator({ memberId }: ReportViewer, { isTemplate, createdBy }: Owned): boolean {
  return !isTemplate && createdBy === memberId;
}

function isManager({ role }: ReportViewer): boolean {
  return role !== null && MANAGER_ROLES.includes(role);
}
