/** The timeline of a contact: its events, messages and trips, in pages. */
import { Injectable } from '@nestjs/common';
import { isStorableText } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import {
  type Activity,
  type ActivityKind,
  encodeActivityCursor,
  mergeActivity,
  decodeActivityCursor,
} from '../domain/activity.js';
import { ContactActivityRepository } from '../persistence/contact-activity.repository.js';

export interface ActivityPageRequest {
  /** The kinds that the caller may see. */
  readonly kinds: readonly ActivityKind[];
  readonly first: number;
  /** The cursor of the entry before the page; null or empty starts with the newest entry. */
  readonly after: string | null;
}

export interface ActivityPage {
  readonly entries: readonly { readonly activity: Activity; readonly cursor: string }[];
  readonly hasNextPage: boolean;
}

@Injectable()
export class ContactActivityService {
  constructor(private readonly activities: ContactActivityRepository) {}

  /**
   * Returns a page, newest first; undefined if no contact has the id or external_id.
   * @throws DomainError invalid_field for an invalid cursor.
   */
  async page(
    scope: TenantScope,
    contactId: string,
    { kinds, first, after }: ActivityPageRequest,
  ): Promise<ActivityPage | undefined> {
    const cursor = after === null ? null : decodeActivityCursor(after);
    const contact = isStorableText(contactId) ? await this.activities.contact(scope, contactId) : undefined;
    if (!contact) return undefined;
    // One extra entry shows whether there is a next page.
    const limit = first + 1;
    const sources = await Promise.all(
      kinds.map((kind) => this.activities.of(scope, kind, contact, { limit, after: cursor })),
    );
    const found = mergeActivity(sources, limit);
    return {
      entries: found
        .slice(0, first)
        .map((activity) => ({ activity, cursor: encodeActivityCursor(activity) })),
      hasNextPage: found.length > first,
    };
  }
}
