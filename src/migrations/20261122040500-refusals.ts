/**
 * Refusals of mail, kept by keyed hash beyond deletion and erasure (section 4.8). Carries over whoever has unsubscribed
 * until now; the hashes' key comes with the connection, as the setting waypost.refusal_key, in hexadecimal digits.
 */
import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APP_ROLE, assumeOneTenant, OF_ENVIRONMENT, protect } from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE refusals (
  workspace_id uuid NOT NULL, environment text NOT NULL, digest bytea NOT NULL, refused_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, environment, digest));

-- What erased contacts were called, by the same hashes: the link of an old email still refuses for these.
CREATE TABLE erased_contacts (
  workspace_id uuid NOT NULL, environment text NOT NULL, contact_id uuid NOT NULL, digests bytea[] NOT NULL,
  PRIMARY KEY (workspace_id, environment, contact_id));

-- By which keys there are hashes; holds nothing of tenants, and nothing of the keys.
CREATE TABLE refusal_keys (fingerprint bytea PRIMARY KEY);
GRANT SELECT, INSERT ON refusal_keys TO ${APP_ROLE};
`;

/** The owner of the tables is bound by their policies, so they are lifted while it reads and writes for everybody. */
const lifted = (force: 'FORCE' | 'NO FORCE'): string =>
  ['contacts', 'refusals'].map((table) => `ALTER TABLE ${table} ${force} ROW LEVEL SECURITY;`).join('\n');

interface Contact {
  readonly workspace_id: string;
  readonly environment: string;
  readonly id: string;
  readonly external_id: string;
  readonly email: string | null;
  readonly updated_at: Date;
}

const AT_ONCE = 5_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

export class Refusals20261122040500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of ['refusals', 'erased_contacts']) await protect(runner, table, OF_ENVIRONMENT);
    await runner.query(lifted('NO FORCE'));
    for await (const contacts of contactsThat(
      runner,
      `subscription_status = 'unsubscribed' OR subscription_status = 'deleted' AND opted_out`,
    )) {
      const key = await keyOf(runner);
      const refusals = contacts.flatMap((contact) =>
        namesOf(contact).map((name) => ({ ...contact, digest: digestOf(key, contact, name) })),
      );
      await runner.query(
        `INSERT INTO refusals (workspace_id, environment, digest, refused_at)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::timestamptz[]) ON CONFLICT DO NOTHING`,
        [
          refusals.map((refusal) => refusal.workspace_id),
          refusals.map((refusal) => refusal.environment),
          refusals.map((refusal) => refusal.digest),
          refusals.map((refusal) => refusal.updated_at),
        ],
      );
      await runner.query('INSERT INTO refusal_keys (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [
        createHmac('sha256', key).update('fingerprint').digest().subarray(0, 8),
      ]);
    }
    await runner.query(lifted('FORCE'));
    await runner.query('ALTER TABLE contacts DROP COLUMN opted_out');
    await assumeOneTenant(runner, [], ['refusals', 'erased_contacts']);
  }

  /** Deleted contacts know of their refusals again; those of nobody who is left are forgotten. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts ADD COLUMN opted_out boolean NOT NULL DEFAULT false');
    await runner.query(lifted('NO FORCE'));
    for await (const contacts of contactsThat(runner, `subscription_status = 'deleted'`)) {
      const key = await keyOf(runner);
      await runner.query(
        `UPDATE contacts c SET opted_out = true
         FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::bytea[]) AS named(workspace_id, environment, id, digest)
         JOIN refusals r USING (workspace_id, environment, digest)
         WHERE c.workspace_id = named.workspace_id AND c.id = named.id`,
        [
          contacts.map((contact) => contact.workspace_id),
          contacts.map((contact) => contact.environment),
          contacts.map((contact) => contact.id),
          contacts.map((contact) => digestOf(key, contact, `identifier\n${contact.external_id}`)),
        ],
      );
    }
    await runner.query(lifted('FORCE'));
    for (const table of ['refusals', 'erased_contacts', 'refusal_keys'])
      await runner.query(`DROP TABLE ${table}`);
  }
}

/** The contacts that a condition holds for, some thousands at a time. */
async function* contactsThat(runner: QueryRunner, condition: string): AsyncGenerator<Contact[]> {
  let place = [NOBODY, NOBODY];
  for (;;) {
    const contacts = (await runner.query(
      `SELECT workspace_id, environment, id, external_id, email, updated_at FROM contacts
       WHERE (${condition}) AND (workspace_id, id) > ($1, $2) ORDER BY workspace_id, id LIMIT ${AT_ONCE}`,
      place,
    )) as Contact[];
    const last = contacts.at(-1);
    if (!last) return;
    yield contacts;
    place = [last.workspace_id, last.id];
  }
}

async function keyOf(runner: QueryRunner): Promise<Buffer> {
  const [setting] = (await runner.query(`SELECT current_setting('waypost.refusal_key', true) AS key`)) as {
    key: string | null;
  }[];
  if (!setting?.key)
    throw new Error(
      'People have unsubscribed, and their refusals need a key: migrate by `npm run cli -- migrate`.',
    );
  return Buffer.from(setting.key, 'hex');
}

function namesOf({ external_id, email }: Contact): string[] {
  const text = (email ?? '').trim();
  if (text === '') return [`identifier\n${external_id}`];
  const at = text.lastIndexOf('@') + 1;
  const address = text.slice(0, at) + (domainToASCII(text.slice(at)) || text.slice(at));
  return [`identifier\n${external_id}`, `address\n${address.toLowerCase()}`];
}

function digestOf(key: Buffer, { workspace_id, environment }: Contact, name: string): Buffer {
  return createHmac('sha256', key).update(`${workspace_id}\n${environment}\n${name}`).digest();
}
