/** Finds tenants with feedback to process or delete, across tenants with the dispatcher's role. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import type { DueTenant } from '../../../platform/queue/poller.js';

const DUE_FEEDBACK = earliestOfTenants('FROM feedback WHERE due_at IS NOT NULL', 'due_at');

@Injectable()
export class DueFeedbackRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the time of its earliest feedback, past or future. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(DUE_FEEDBACK);
  }
}
