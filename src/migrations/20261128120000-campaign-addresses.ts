/** Addresses that an audience has already, while it is being taken, so that each gets a campaign once. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_ENVIRONMENT, protect } from './frozen/20261121120000-tenant-tables.js';

export class CampaignAddresses20261128120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE campaign_addresses (
        workspace_id uuid NOT NULL, environment text NOT NULL, instance_id uuid NOT NULL, address uuid NOT NULL,
        PRIMARY KEY (workspace_id, instance_id, address))`);
    await protect(runner, 'campaign_addresses', OF_ENVIRONMENT);
    await assumeOneTenant(runner, [], ['campaign_addresses']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE campaign_addresses');
  }
}
