/**
 * Credits and config as REST shows them (sections 4.7 and 8.2), and the classes that describe them in the OpenAPI
 * document.
 */
import { ApiProperty } from '@nestjs/swagger';
import { snakeKeys } from '../../../kernel/letter-case.js';
import type { CreditAccount } from '../application/inspect-credits.js';
import { CREDIT_REASONS } from '../domain/runs/credits.js';
import { BLOCKINGS, SPAM_PROVIDERS, type InspectConfig } from '../domain/runs/inspect-config.js';
import { RENDER_CLIENTS } from '../domain/rendering/render-client.js';

/** A credit that was charged or refunded. */
export class CreditEntryResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ type: 'integer', example: -1 }) delta: number;
  @ApiProperty({ enum: CREDIT_REASONS }) reason: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) job_id: string | null;
  @ApiProperty() template_slug: string;
  @ApiProperty({ type: 'integer' }) template_version: number;
  @ApiProperty({ format: 'date-time' }) created_at: Date;
}

/** The remaining credits of the month. */
export class CreditsResponse {
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null if the plan is unlimited.' })
  balance: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) monthly: number | null;
  @ApiProperty({ type: 'integer' }) used: number;
  @ApiProperty({ format: 'date-time' }) resets_at: Date;
  @ApiProperty({ type: [CreditEntryResponse], description: 'The latest entries, newest first.' })
  ledger: readonly CreditEntryResponse[];
}

/** The workspace's settings of quality analysis. */
export class InspectConfigResponse {
  @ApiProperty({ enum: RENDER_CLIENTS, isArray: true }) render_clients: readonly string[];
  @ApiProperty() auto_run_on_save: boolean;
  @ApiProperty({ enum: BLOCKINGS }) blocking: string;
  @ApiProperty({ enum: SPAM_PROVIDERS }) spam_provider: string;
  @ApiProperty({ type: [String], example: ['AC001'] }) snoozed_codes: readonly string[];
}

export function presentCredits({ ledger, ...balance }: CreditAccount): CreditsResponse {
  return { ...snakeKeys(balance), ledger: ledger.map((entry) => snakeKeys(entry)) };
}

export function presentConfig(config: InspectConfig): InspectConfigResponse {
  const { renderClients, autoRunOnSave, blocking, spamProvider, snoozedCodes } = config;
  return {
    render_clients: renderClients,
    auto_run_on_save: autoRunOnSave,
    blocking,
    spam_provider: spamProvider,
    snoozed_codes: snoozedCodes,
  };
}
