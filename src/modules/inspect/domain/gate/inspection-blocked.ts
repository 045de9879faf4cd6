/** The error for sending templates with open critical findings, under `blocking: "block"` (section 4.7). */
import { DomainError, type FieldError } from '../../../../kernel/domain-error.js';
import type { Spelling } from '../../../../kernel/letter-case.js';
import type { GatedTemplate, GateNotice } from './gate.js';

/** Maximum number of findings in an error, a warning or a check. */
export const MAX_NOTICES = 100;

/**
 * @param blocked the findings that block the templates.
 * @param uninspected templates that were never inspected, and could not be now.
 */
export function inspectionBlocked(
  blocked: readonly GateNotice[],
  uninspected: readonly GatedTemplate[],
): DomainError {
  const slugs = [
    ...new Set([...blocked.map(({ templateSlug }) => templateSlug), ...uninspected.map(slugOf)]),
  ];
  return new DomainError(
    'inspection_blocked',
    `These templates cannot be sent because of critical findings: ${slugs.join(', ')}. Fix the findings, ` +
      'mark them, or send an override token.',
    (spell) => ({
      findings: blocked.slice(0, MAX_NOTICES).map((notice) => spelled(notice, spell)),
      errors: [
        ...blocked.slice(0, MAX_NOTICES).map((notice) => errorOf(notice, spell)),
        ...uninspected.map((template) => uninspectedError(template, spell)),
      ],
    }),
  );
}

function spelled(notice: GateNotice, spell: Spelling): object {
  return Object.fromEntries(Object.entries(notice).map(([member, value]) => [spell(member), value]));
}

function errorOf({ templateSlug, code, line, message }: GateNotice, spell: Spelling): FieldError {
  const lineSuffix = line === null ? '' : `, line ${line}`;
  return { field: spell('templateSlug'), message: `${templateSlug}: ${code}${lineSuffix}: ${message}` };
}

function uninspectedError({ slug, version }: GatedTemplate, spell: Spelling): FieldError {
  return {
    field: spell('templateSlug'),
    message: `${slug}: version ${version} was never inspected and could not be inspected now; start a run to see why`,
  };
}

function slugOf({ slug }: GatedTemplate): string {
  return slug;
}
