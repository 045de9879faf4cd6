/** Permissions on reports: every viewer with every report, as section 4.4 defines them. */
import { DomainError } from '../../../kernel/domain-error.js';
import { ROLES, type Role } from '../../../kernel/principal.js';
import { assertMayChange, mayChange, mayView, type ReportViewer } from './report-access.js';
import { VISIBILITIES } from './report.js';

const scope = { workspaceId: 'w', environment: 'live' } as const;
const member = (memberId: string, role: Role): ReportViewer => ({ scope, memberId, role });
const KEY: ReportViewer = { scope, memberId: null, role: null };
const VIEWERS = [KEY, ...ROLES.flatMap((role) => [member('maker', role), member('other', role)])];
const isManager = ({ role }: ReportViewer): boolean => role === 'owner' || role === 'admin';

describe.each(VIEWERS)('$memberId as $role', (viewer) => {
  test('sees templates, and may change none', () => {
    const template = { isTemplate: true, visibility: 'workspace', createdBy: null } as const;
    expect([mayView(viewer, template), mayChange(viewer, template)]).toEqual([true, false]);
    expect(() => assertMayChange(viewer, template)).toThrow(/^template_report_read_only/);
  });

  test.each(['maker', null])('a report that %p has made', (createdBy) => {
    for (const visibility of VISIBILITIES) {
      const report = { isTemplate: false, visibility, createdBy };
      const isOwn = viewer.memberId === createdBy;
      const isOpen = visibility === 'workspace';
      const may = isOwn || (isOpen && isManager(viewer));
      expect([mayView(viewer, report), mayChange(viewer, report)]).toEqual([isOwn || isOpen, may]);
      if (may) assertMayChange(viewer, report);
      else
        expect(refusal(viewer, report)).toEqual({
          required_roles: ['owner', 'admin'],
          your_role: viewer.role,
        });
    }
  });
});

function refusal(viewer: ReportViewer, report: Parameters<typeof assertMayChange>[1]): unknown {
  try {
    return assertMayChange(viewer, report);
  } catch (error) {
    return error instanceof DomainError && error.code === 'insufficient_role' ? error.fields : error;
  }
}
