/** The result of applyFixes, in GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import type { FixedTemplate } from '../application/finding-fixes.js';
import { SKIP_REASONS } from '../domain/fixes/skipped-fix.js';

const SkipReasonEnum = graphqlEnum(
  'FixSkipReason',
  SKIP_REASONS,
  'Why a finding was not fixed: a version other than the current one was inspected; only its author can ' +
    'fix it; its fix overlaps an earlier one.',
);

@Output({ graphql: 'SkippedFix', description: 'A finding that was not fixed.' })
class SkippedFixOutput {
  @Out('ID') findingId: string;
  @Out(oneOf(SKIP_REASONS, SkipReasonEnum)) reason: string;
}

@Output({ graphql: 'AppliedFixes' })
export class AppliedFixesOutput {
  @Out('ID') templateId: string;
  @Out('Int', { description: 'The template version after the fixes. Unchanged if nothing was fixed.' })
  templateVersion: number;
  @Out('Int', { description: 'Number of findings that were fixed.' }) applied: number;
  @Out(['ID']) appliedFindingIds: readonly string[];
  @Out([SkippedFixOutput], { description: 'Findings that were not fixed, with the reason.' })
  skipped: readonly SkippedFixOutput[];
}

export function appliedFixesOutput({ template, applied, skipped }: FixedTemplate): AppliedFixesOutput {
  return {
    ...{ templateId: template.id, templateVersion: template.version },
    ...{ applied: applied.length, appliedFindingIds: applied, skipped },
  };
}
