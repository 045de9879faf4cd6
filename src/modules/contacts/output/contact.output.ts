/** A contact in REST (section 2.11) and in GraphQL. */
import type { JsonObject } from '../../../kernel/json.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { SUBSCRIPTION_STATUSES } from '../domain/contact.js';

@Output({ rest: 'ContactResponse', graphql: 'Contact' })
export class ContactOutput {
  @Out('ID') id: string;
  @Out('String', { example: 'u1' }) externalId: string;
  @Out('String', { nullable: true, example: 'ada@example.com' }) email: string | null;
  @Out('String', { nullable: true, example: '+44 20 7946 0000' }) phone: string | null;
  @Out('String', { nullable: true, example: 'Ada' }) firstName: string | null;
  @Out('String', { nullable: true, example: 'Lovelace' }) lastName: string | null;
  @Out('String', { nullable: true, example: 'pro' }) productType: string | null;
  @Out(oneOf(SUBSCRIPTION_STATUSES)) subscriptionStatus: string;
  @Out('String', { nullable: true, example: 'Europe/London' }) timezone: string | null;
  @Out('String', { nullable: true, example: 'en-GB' }) locale: string | null;
  @Out('JSON', { example: { plan: 'pro' } }) properties: JsonObject;
  @Out(['String'], { example: ['beta'] }) tags: readonly string[];
  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
}

export const ContactConnection = connection('Contact', ContactOutput, { counted: true });

/** A contact after its upsert. */
@Output({ rest: 'UpsertedContactResponse' })
export class UpsertedContactOutput extends ContactOutput {
  @Out('Boolean', { description: 'Whether the contact was created.' }) created: boolean;
  @Out(['String'], { example: ['email'], description: 'Fields whose values changed, as REST spells them.' })
  updatedFields: readonly string[];
}

@Output({ rest: 'PageMetaResponse' })
class PageMetaOutput {
  @Out('Int', { example: 1_234, description: 'Total number of matching contacts, excluding deleted ones.' })
  total: number;
  @Out('Int', { example: 1 }) page: number;
  @Out('Int', { example: 25 }) perPage: number;
  @Out('Int', { example: 50 }) totalPages: number;
}

/** A page of contacts, section 4.10. */
@Output({ rest: 'ContactListResponse' })
export class ContactListOutput {
  @Out([ContactOutput]) data: readonly ContactOutput[];
  @Out(PageMetaOutput) meta: PageMetaOutput;
}

@Output({ rest: 'BulkErrorResponse' })
class BulkErrorOutput {
  @Out('Int', { example: 3 }) index: number;
  @Out('String', { nullable: true, example: 'u4' }) externalId: string | null;
  @Out('String', { example: 'invalid_email' }) code: string;
  @Out('String') detail: string;
}

/** The result for each item. */
@Output({ rest: 'BulkResponse' })
export class BulkOutput {
  @Out('Int', { example: 1_000 }) total: number;
  @Out('Int', { example: 499 }) created: number;
  @Out('Int', { example: 480 }) updated: number;
  @Out('Int', { example: 20, description: 'Number of existing contacts that did not change.' })
  skipped: number;
  @Out([BulkErrorOutput]) errors: readonly BulkErrorOutput[];
}
