/** Which events there are to choose from, where flows and segments are made. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { EventNameRepository } from '../persistence/event-name.repository.js';

/** More than anybody picks from; names made by mistake, with ids in them, would have no end. */
const MOST_NAMES = 1_000;

@Injectable()
export class EventNameService {
  constructor(private readonly names: EventNameRepository) {}

  /** The names of processed events of the environment, sorted; the first 1,000 where there are more. */
  async seen(scope: TenantScope): Promise<string[]> {
    return this.names.seen(scope, MOST_NAMES);
  }
}
