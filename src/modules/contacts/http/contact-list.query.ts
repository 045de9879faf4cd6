/** Query of GET /v1/contacts, section 4.10. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { CONTACT_SORTS, LONGEST_SEARCH, SORT_ORDERS, type SortOrder } from '../domain/contact-order.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import { ContactResponse } from './contact.presenter.js';

const LARGEST_PAGE = 100;
export const DEFAULT_PAGE = 25;
/** Beyond this a page would cost the database more than anybody looks at. */
const LAST_PAGE = 1_000_000;

const WRITTEN_SORTS = CONTACT_SORTS.map((sort) => snakeCase(sort));

export class ContactListQuery {
  @ApiPropertyOptional({ description: 'Part of external_id, email, first_name or last_name.' })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_SEARCH)
  search?: string;

  @ApiPropertyOptional({ type: 'integer', default: 1, minimum: 1 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LAST_PAGE)
  page?: number;

  @ApiPropertyOptional({ type: 'integer', default: DEFAULT_PAGE, minimum: 1, maximum: LARGEST_PAGE })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LARGEST_PAGE)
  per_page?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'The same as per_page.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LARGEST_PAGE)
  limit?: number;

  @ApiPropertyOptional({ enum: WRITTEN_SORTS, default: 'created_at' })
  @IsOptional()
  @IsIn(WRITTEN_SORTS)
  sort_by?: (typeof WRITTEN_SORTS)[number];

  @ApiPropertyOptional({ enum: SORT_ORDERS, default: 'desc' })
  @IsOptional()
  @IsIn(SORT_ORDERS)
  sort_order?: SortOrder;
}

class PageMetaResponse {
  @ApiProperty({ example: 1_234, description: 'Deleted contacts are not counted.' }) total: number;
  @ApiProperty({ example: 1 }) page: number;
  @ApiProperty({ example: 25 }) per_page: number;
  @ApiProperty({ example: 50 }) total_pages: number;
}

/** A page of contacts. */
export class ContactListResponse {
  @ApiProperty({ type: [ContactResponse] }) data: readonly ContactResponse[];
  @ApiProperty({ type: PageMetaResponse }) meta: PageMetaResponse;
}
