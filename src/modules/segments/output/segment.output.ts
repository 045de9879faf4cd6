/** Segments in REST, which only evaluates them (section 4.10), and in GraphQL. */
import type { JsonObject } from '../../../kernel/json.js';
import { Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';

@Output({
  graphql: 'Segment',
  description: 'A named audience. A segment exists in both environments; its members differ.',
})
export class SegmentOutput {
  @Out('ID') id: string;
  @Out('String') name: string;
  @Out('String') description: string;
  @Out('String', { description: 'all or any' }) match: string;
  @Out('JSON', { description: 'The conditions as submitted, with REST field names.' })
  conditions: readonly JsonObject[];
  @Out('String', { nullable: true }) createdBy: string | null;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
  @Out('Int', {
    nullable: true,
    description: 'Number of members. Null until membership is first evaluated.',
  })
  memberCount: number | null;
  @Out('DateTime', {
    nullable: true,
    description: 'When membership of all contacts was last evaluated. Null if never.',
  })
  refreshedAt: Date | null;
  @Out('String', {
    nullable: true,
    description: 'Why membership could not be evaluated. Null if it succeeded.',
  })
  refreshError: string | null;
}

export const SegmentConnection = connection('Segment', SegmentOutput, { counted: true });

/** A contact's membership in a segment. */
export class MembershipOutput {
  @Out('DateTime') enteredAt: Date;
}

export const SegmentMemberConnection = connection('SegmentMember', ContactOutput, { edge: MembershipOutput });

@Output({ graphql: 'SegmentOfContact' })
export class SegmentOfContactOutput {
  @Out('ID') id: string;
  @Out('String') name: string;
}

export const SegmentOfContactConnection = connection('SegmentOfContact', SegmentOfContactOutput, {
  edge: MembershipOutput,
});

@Output({ graphql: 'SegmentPreview' })
export class SegmentPreviewOutput {
  @Out('Int') count: number;
  @Out(['String'], {
    description: 'Likely mistakes, such as comparing a number with a property that holds only text.',
  })
  warnings: readonly string[];
  /** The source of `sample`, which needs permission to read contacts. */
  readonly found: readonly Contact[];
}

/** Response of POST /v1/segments/{id}/evaluate. */
@Output({ rest: 'SegmentEvaluationResponse' })
export class SegmentEvaluationOutput {
  @Out('ID') segmentId: string;
  @Out('Int', { example: 1 }) count: number;
  @Out(['String'], {
    api: { maxItems: 100 },
    description: 'IDs of the newest contacts in the segment, newest first.',
    example: ['0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface'],
  })
  sample: readonly string[];
  @Out('DateTime') evaluatedAt: Date;
}
