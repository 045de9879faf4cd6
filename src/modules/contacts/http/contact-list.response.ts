/** Response of GET /v1/contacts, section 4.10. */
import { ApiProperty } from '@nestjs/swagger';
import { ContactResponse } from './contact.presenter.js';

class PageMetaResponse {
  @ApiProperty({ example: 1_234, description: 'Total number of matching contacts, excluding deleted ones.' })
  total: number;
  @ApiProperty({ example: 1 }) page: number;
  @ApiProperty({ example: 25 }) per_page: number;
  @ApiProperty({ example: 50 }) total_pages: number;
}

/** A page of contacts. */
export class ContactListResponse {
  @ApiProperty({ type: [ContactResponse] }) data: readonly ContactResponse[];
  @ApiProperty({ type: PageMetaResponse }) meta: PageMetaResponse;
}
