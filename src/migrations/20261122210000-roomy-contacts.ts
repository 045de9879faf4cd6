/**
 * Contacts get room on their pages, as trips and messages have it: a contact is changed by steps, events and bulks time
 * and again, and where its page has no room for the new version every index gets an entry more, that of the search for
 * parts of names above all. Pages that are written already get room as their contacts change.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RoomyContacts20261122210000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts SET (fillfactor = 60)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts RESET (fillfactor)');
  }
}
