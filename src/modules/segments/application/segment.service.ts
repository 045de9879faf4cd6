/** The audiences of a workspace. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { NewSegment } from '../domain/segment.js';
import { SegmentRepository } from '../persistence/segment.repository.js';

@Injectable()
export class SegmentService {
  constructor(
    private readonly segments: SegmentRepository,
    private readonly clock: Clock,
  ) {}

  /** The id of the segment of that name, which is made when there is none; one that exists stays as it is. */
  async ensure(scope: WorkspaceScope, segment: NewSegment): Promise<string> {
    const existing = await this.segments.idByName(scope, segment.name);
    if (existing !== undefined) return existing;
    const now = this.clock.now();
    const id = uuidv7(now.getTime());
    await this.segments.add(scope, { id, ...segment }, now);
    return id;
  }
}
