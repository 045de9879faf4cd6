/** Exports flows, section 4.2. PostgreSQL produces the file, and it is streamed at the client's pace. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { FlowFilter } from '../domain/flow-filter.js';
import { FlowExportRepository } from '../persistence/flow-export.repository.js';

@Injectable()
export class FlowExportService {
  constructor(private readonly flows: FlowExportRepository) {}

  /** The flows that match the filter as CSV, most recently updated first. */
  async csv(
    scope: TenantScope,
    filter: Pick<FlowFilter, 'search' | 'status' | 'contentType'>,
  ): Promise<Readable> {
    return this.flows.csv(scope, filter);
  }
}
