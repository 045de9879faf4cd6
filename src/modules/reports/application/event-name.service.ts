/** The event names that users can choose from in flows and segments. */
import { Injectable } from '@nestjs/common';
import { sliceOf, type Slice, type WantedPage } from '../../../kernel/place.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { EventNameRepository } from '../persistence/event-name.repository.js';

@Injectable()
export class EventNameService {
  constructor(private readonly names: EventNameRepository) {}

  /** Returns a page of the names of processed events in the environment, sorted. */
  async seen(scope: TenantScope, { first, after }: WantedPage): Promise<Slice<string>> {
    return sliceOf(await this.names.seen(scope, first + 1, after?.key ?? ''), first);
  }
}
