/** Finds the tenants with due schedules, across tenants and with the role of the dispatcher. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import type { DueTenant } from '../../../platform/queue/poller.js';

const DUE = earliestOfTenants('FROM report_schedules WHERE look_at IS NOT NULL', 'look_at');

@Injectable()
export class DueSchedulesRepository {
  constructor(private readonly database: Database) {}

  /** Returns each tenant with its earliest due time. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(DUE);
  }
}
