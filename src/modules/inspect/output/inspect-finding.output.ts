/** Findings in REST (section 4.7) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection, restPage } from '../../../platform/output/pages.js';
import { FINDING_STATUSES } from '../domain/findings/finding-mark.js';
import type { InspectFinding } from '../domain/findings/inspect-finding.js';
import { RENDER_CLIENTS } from '../domain/rendering/render-client.js';
import { FINDING_CATEGORIES, FINDING_SEVERITIES } from '../domain/rules/rule.js';
import { FindingCategoryEnum, FindingSeverityEnum, FindingStatusEnum } from '../input/inspect-run.input.js';

/** The fields that every finding has. */
@Output({
  rest: 'InspectFindingResponse',
  graphql: 'PreSendFinding',
  description: 'An open critical finding of the current version.',
})
export class FindingOutput {
  @Out('ID') id: string;
  @Out('ID') jobId: string;
  @Out('String', { example: 'LK001', description: 'A stable code. New codes may be added.' }) code: string;
  @Out(oneOf(FINDING_CATEGORIES, FindingCategoryEnum)) category: string;
  @Out(oneOf(FINDING_SEVERITIES, FindingSeverityEnum)) severity: string;
  @Out('String', { example: 'Link without an address' }) title: string;
  @Out('String') message: string;
  @Out('String', { description: 'How to fix it.' }) fix: string;
  @Out('Int', {
    nullable: true,
    description: 'Line in the stored body, starting at 1. Null if the finding has no position.',
  })
  line: number | null;
  @Out('Int', { nullable: true }) column: number | null;
  @Out('String', {
    nullable: true,
    description: 'An excerpt that contains the element; at most 1,000 characters.',
  })
  snippet: string | null;
  @Out([oneOf(RENDER_CLIENTS)], {
    description: 'The affected mail programs. Empty if all are affected.',
  })
  clients: readonly string[];
  @Out(oneOf(FINDING_STATUSES, FindingStatusEnum), { description: 'The current status.' }) status: string;
  @Out('DateTime', { nullable: true }) snoozedUntil: Date | null;
  @Out('String', {
    nullable: true,
    description: 'The reason given when the finding was snoozed or marked. Null if none was given.',
  })
  reason: string | null;
}

@Output({
  graphql: 'SourceEdit',
  description: 'An edit that replaces the characters from start to end of the stored body with text.',
})
class SourceEditOutput {
  @Out('Int', { description: 'Offset in UTF-16 code units, starting at 0.' }) start: number;
  @Out('Int', { description: 'Equals start if text is inserted.' }) end: number;
  @Out('String') text: string;
}

/** A finding in GraphQL, with the edits that fix it. */
@Output({ graphql: 'InspectFinding', description: 'A finding of a run.' })
export class InspectFindingOutput extends FindingOutput {
  @Out('Boolean', {
    description: 'Whether applyFixes can fix it, as long as the inspected version is the current one.',
  })
  fixable: boolean;
  @Out([SourceEditOutput], { description: 'The edits applyFixes makes to the inspected version.' })
  edits: readonly SourceEditOutput[];
  @Out([SourceEditOutput], {
    description: 'A suggested correction for the author to review. Not applied by applyFixes.',
  })
  suggestedEdits: readonly SourceEditOutput[];
}

export const InspectFindingConnection = connection('InspectFinding', InspectFindingOutput, {
  counted: { description: 'Number of findings that match the filter.' },
});

export const FindingListOutput = restPage('InspectFindingListResponse', 'findings', FindingOutput);

export function findingOutput(finding: InspectFinding): InspectFindingOutput {
  const { isSuggestion } = finding;
  const [edits, suggestedEdits] = isSuggestion ? [[], finding.edits ?? []] : [finding.edits ?? [], []];
  return { ...finding, fixable: edits.length > 0, edits, suggestedEdits };
}
