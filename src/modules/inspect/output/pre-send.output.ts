/** Overrides, and the check before sending, in REST (section 4.7) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { PRE_SEND_REASONS } from '../application/pre-send-check.js';
import { BLOCKINGS } from '../domain/runs/inspect-config.js';
import { FindingOutput } from './inspect-finding.output.js';

@Output({ rest: 'InspectOverrideResponse', graphql: 'InspectOverride' })
export class InspectOverrideOutput {
  @Out('String', { description: 'Returned only once. Valid for this version only.' }) token: string;
  @Out('String', { example: 'welcome' }) templateSlug: string;
  @Out('Int', { example: 3 }) templateVersion: number;
  @Out('DateTime', { description: '24 hours after the token was created.' }) expiresAt: Date;
}

@Output({ rest: 'PreSendCheckResponse', graphql: 'PreSendCheck' })
export class PreSendCheckOutput {
  @Out('Boolean', { description: 'Can only be false if blocking is set to `block`.' }) canSend: boolean;
  @Out(oneOf(BLOCKINGS), { description: 'The blocking setting of the workspace: off, warn or block.' })
  blocking: string;
  @Out(oneOf([...PRE_SEND_REASONS, null]), {
    nullable: true,
    description:
      'What is wrong with the current version: template_errors, critical_findings or never_inspected. Null if ' +
      'nothing is.',
  })
  reason: string | null;
  @Out([FindingOutput], { description: 'Open critical findings, at most 100.' })
  findings: readonly FindingOutput[];
  @Out('Int', {
    nullable: true,
    example: 64,
    description: 'Score of the current version, 0 to 100. Null if it was never inspected.',
  })
  score: number | null;
  @Out('Int', { example: 3 }) templateVersion: number;
  @Out('Int', {
    nullable: true,
    example: 3,
    description: 'The version that was last inspected. Null if there is none.',
  })
  inspectedVersion: number | null;
  @Out('DateTime', { nullable: true }) lastInspectedAt: Date | null;
  @Out('Boolean', { description: 'Whether the given token allows the current version to be sent.' })
  overridden: boolean;
}
