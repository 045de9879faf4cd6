/** Credits and settings of quality analysis in REST (sections 4.7 and 8.2) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { RENDER_CLIENTS } from '../domain/rendering/render-client.js';
import { CREDIT_REASONS } from '../domain/runs/credits.js';
import { BLOCKINGS, SPAM_PROVIDERS } from '../domain/runs/inspect-config.js';
import { InspectBlockingEnum, SpamProviderEnum } from '../input/inspect-config.input.js';

@Output({
  rest: 'CreditEntryResponse',
  graphql: 'InspectCreditEntry',
  description: 'A credit that was charged or refunded.',
})
class CreditEntryOutput {
  @Out('ID') id: string;
  @Out('Int', { example: -1 }) delta: number;
  @Out(oneOf(CREDIT_REASONS), { description: 'full_run or failed_run' }) reason: string;
  @Out('ID', { nullable: true }) jobId: string | null;
  @Out('String') templateSlug: string;
  @Out('Int') templateVersion: number;
  @Out('DateTime') createdAt: Date;
}

@Output({ rest: 'CreditsResponse', graphql: 'InspectCredits' })
export class InspectCreditsOutput {
  @Out('Int', { nullable: true, description: 'Null if the plan is unlimited.' }) balance: number | null;
  @Out('Int', { nullable: true, description: 'Null if the plan is unlimited.' }) monthly: number | null;
  @Out('Int') used: number;
  @Out('DateTime') resetsAt: Date;
  @Out([CreditEntryOutput], { description: 'The latest entries, newest first.' })
  ledger: readonly CreditEntryOutput[];
}

@Output({
  rest: 'InspectConfigResponse',
  graphql: 'InspectConfig',
  description: 'Quality analysis settings of the workspace.',
})
export class InspectConfigOutput {
  @Out([oneOf(RENDER_CLIENTS)]) renderClients: readonly string[];
  @Out('Boolean') autoRunOnSave: boolean;
  @Out(oneOf(BLOCKINGS, InspectBlockingEnum)) blocking: string;
  @Out(oneOf(SPAM_PROVIDERS, SpamProviderEnum)) spamProvider: string;
  @Out(['String'], { example: ['AC001'] }) snoozedCodes: readonly string[];
}
