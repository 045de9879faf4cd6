/** The event names that users can choose from in flows and segments. */
import { Injectable } from '@nestjs/common';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { EventNameRepository } from '../persistence/event-name.repository.js';

@Injectable()
export class EventNameService {
  constructor(private readonly names: EventNameRepository) {}

  /** Returns a page of the names of processed events in the environment, sorted. */
  async page(scope: TenantScope, { first, after }: PageRequest): Promise<Slice<string>> {
    return sliceOf(await this.names.list(scope, first + 1, after?.key ?? ''), first);
  }
}
