/** Query of GET /v1/flows, section 4.2. */
import { CONTENT_TYPES, type ContentType } from '../../../kernel/email-settings.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import {
  DEFAULT_LIMIT,
  LARGEST_LIMIT,
  readMoment,
  type FlowFilter,
  type Page,
} from '../domain/flow-filter.js';
import { FLOW_STATUSES, type FlowStatus } from '../domain/flow.js';

const MOMENT = { format: 'date-time', example: '2026-03-02T09:00:00Z' } as const;

export class FlowListQuery {
  @ApiPropertyOptional({ description: 'Part of the name.' }) @IsOptional() @IsString() search?: string;
  @ApiPropertyOptional({ enum: FLOW_STATUSES }) @IsOptional() @IsIn(FLOW_STATUSES) status_filter?: FlowStatus;
  @ApiPropertyOptional({ enum: CONTENT_TYPES }) @IsOptional() @IsIn(CONTENT_TYPES) content_type?: ContentType;
  @ApiPropertyOptional({ description: 'A tag, exactly.' }) @IsOptional() @IsString() tag?: string;
  @ApiPropertyOptional(MOMENT) @IsOptional() @IsString() created_after?: string;
  @ApiPropertyOptional(MOMENT) @IsOptional() @IsString() created_before?: string;
  @ApiPropertyOptional(MOMENT) @IsOptional() @IsString() updated_after?: string;
  @ApiPropertyOptional(MOMENT) @IsOptional() @IsString() updated_before?: string;

  @ApiPropertyOptional({ type: 'integer', default: DEFAULT_LIMIT, minimum: 1, maximum: LARGEST_LIMIT })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  limit?: number;

  @ApiPropertyOptional({ type: 'integer', default: 0, minimum: 0 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  offset?: number;
}

/** @throws DomainError invalid_field for a moment that is not ISO 8601. */
export function flowFilterOf(query: FlowListQuery): FlowFilter {
  const moment = (
    name: 'created_after' | 'created_before' | 'updated_after' | 'updated_before',
  ): Date | undefined => {
    const text = query[name];
    return text === undefined ? undefined : readMoment(name, text);
  };
  return {
    search: query.search,
    status: query.status_filter,
    contentType: query.content_type,
    tag: query.tag,
    createdAfter: moment('created_after'),
    createdBefore: moment('created_before'),
    updatedAfter: moment('updated_after'),
    updatedBefore: moment('updated_before'),
  };
}

export function pageOf({ limit = DEFAULT_LIMIT, offset = 0 }: FlowListQuery): Page {
  return { limit, offset };
}
