/**
 * `cli seed`: creates the records of a file that do not exist yet, and reports the ids of all of them. Existing records
 * are found by name (workspace), email, slug or external_id and left unchanged, so a second run changes nothing.
 */
import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { JsonObject } from '../../kernel/json.js';
import type { TenantScope, WorkspaceScope } from '../../kernel/tenant-scope.js';
import { ApiKeyService } from '../../modules/api-keys/application/api-key.service.js';
import { ContactUpserts } from '../../modules/contacts/application/contact-upserts.js';
import { optedOutBy } from '../../modules/contacts/application/status-requests.js';
import { SegmentService } from '../../modules/segments/application/segment.service.js';
import { TemplateService } from '../../modules/templates/application/template.service.js';
import { MemberService } from '../../modules/workspaces/application/member.service.js';
import { WorkspaceService } from '../../modules/workspaces/application/workspace.service.js';
import { emailKeyOf } from '../../modules/workspaces/domain/member.js';
import { Database } from '../../platform/database/database.js';
import { readSeedFile, type WorkspaceSeed } from './seed-file.js';

/** A record of the file with its id. */
export interface SeededRecord extends JsonObject {
  readonly id: string;
}

export interface SeededApiKey extends SeededRecord {
  /** The secret key; present only if this run created it. */
  readonly key?: string;
}

export interface SeededWorkspace extends SeededRecord {
  readonly members?: readonly SeededRecord[];
  readonly api_keys?: readonly SeededApiKey[];
  readonly segments?: readonly SeededRecord[];
  readonly templates?: readonly SeededRecord[];
  readonly contacts?: readonly SeededRecord[];
}

/** Resolves the services of an application. */
export type Services = Pick<INestApplicationContext, 'get'>;

const ACTOR = 'seed';
/** Number of contacts to write in one transaction. */
const CONTACTS_PER_BATCH = 500;

/**
 * Creates the records of a seed file.
 * @param content the parsed file.
 * @returns the same structure, with ids.
 * @throws DomainError invalid_field naming every invalid path; then nothing was written.
 */
export async function seedFile(
  content: unknown,
  services: Services,
): Promise<{ readonly workspaces: readonly SeededWorkspace[] }> {
  const workspaces: SeededWorkspace[] = [];
  for (const seed of readSeedFile(content)) workspaces.push(await seedWorkspace(seed, services));
  return { workspaces };
}

async function seedWorkspace(seed: WorkspaceSeed, services: Services): Promise<SeededWorkspace> {
  const workspaces = services.get(WorkspaceService);
  const [known] = await workspaces.idsByName(seed.input.name);
  const id = known ?? (await workspaces.create(seed.input)).id;
  const scope = { workspaceId: id };
  const { written } = seed;
  return {
    id,
    ...written,
    ...('members' in written && { members: await seedMembers(scope, seed, services) }),
    ...('api_keys' in written && { api_keys: await seedApiKeys(scope, seed, services) }),
    ...('segments' in written && { segments: await seedSegments(scope, seed, services) }),
    ...('templates' in written && { templates: await seedTemplates(scope, seed, services) }),
    ...('contacts' in written && {
      contacts: await seedContacts({ ...scope, environment: 'live' }, seed, services),
    }),
  };
}

async function seedMembers(
  scope: WorkspaceScope,
  seed: WorkspaceSeed,
  services: Services,
): Promise<SeededRecord[]> {
  const members = services.get(MemberService);
  const known = new Map((await members.list(scope)).map(({ email, id }) => [emailKeyOf(email), id]));
  const seeded: SeededRecord[] = [];
  for (const { input, written } of seed.members) {
    const id = known.get(emailKeyOf(input.email)) ?? (await members.addActive(scope, input)).id;
    seeded.push({ id, ...written });
  }
  return seeded;
}

async function seedApiKeys(
  scope: WorkspaceScope,
  seed: WorkspaceSeed,
  services: Services,
): Promise<SeededApiKey[]> {
  const keys = services.get(ApiKeyService);
  const known = await keys.list(scope);
  const seeded: SeededApiKey[] = [];
  for (const { input, written } of seed.apiKeys) {
    const { name, scope: keyScope, environment } = input;
    const existing = known.find(
      (key) => key.name === name && key.scope === keyScope && key.environment === environment,
    );
    if (existing) seeded.push({ id: existing.id, ...written });
    else {
      const { apiKey, raw } = await keys.createByOperator(scope, seed.plan, input);
      seeded.push({ id: apiKey.id, ...written, key: raw });
    }
  }
  return seeded;
}

async function seedSegments(
  scope: WorkspaceScope,
  seed: WorkspaceSeed,
  services: Services,
): Promise<SeededRecord[]> {
  const seeded: SeededRecord[] = [];
  for (const { input, written } of seed.segments)
    seeded.push({ id: await services.get(SegmentService).ensure(scope, input), ...written });
  return seeded;
}

async function seedTemplates(
  scope: WorkspaceScope,
  seed: WorkspaceSeed,
  services: Services,
): Promise<SeededRecord[]> {
  const templates = services.get(TemplateService);
  const found = await templates.find(
    scope,
    seed.templates.map(({ input }) => input.slug),
  );
  const known = new Map(found.map(({ slug, id }) => [slug, id]));
  const seeded: SeededRecord[] = [];
  for (const { input, written } of seed.templates) {
    const id = known.get(input.slug) ?? (await templates.create(scope, input, ACTOR)).id;
    seeded.push({ id, ...written });
  }
  return seeded;
}

async function seedContacts(
  scope: TenantScope,
  seed: WorkspaceSeed,
  services: Services,
): Promise<SeededRecord[]> {
  const upserts = services.get(ContactUpserts);
  const seeded: SeededRecord[] = [];
  for (let start = 0; start < seed.contacts.length; start += CONTACTS_PER_BATCH) {
    const chunk = seed.contacts.slice(start, start + CONTACTS_PER_BATCH);
    const now = services.get(Clock).now();
    const ids = await services.get(Database).inScope(scope, async (tx) => {
      // First find the contacts that exist, then fill only the new ones: existing ones stay as they are.
      const options = { now, maximum: Number.POSITIVE_INFINITY };
      const named = new Map(chunk.map(({ input }) => [input.externalId, []]));
      const { contacts: all } = await upserts.apply(tx, scope, named, options);
      const fresh = chunk.filter(({ input }) => all.get(input.externalId)?.created);
      const changes = new Map(fresh.map(({ input }) => [input.externalId, [input.changes]]));
      const optOuts = optedOutBy(fresh.map(({ input }) => input));
      await upserts.apply(tx, scope, changes, { ...options, optOuts });
      return new Map([...all].map(([externalId, { contact }]) => [externalId, contact.id]));
    });
    for (const { input, written } of chunk) seeded.push({ id: ids.get(input.externalId) ?? '', ...written });
  }
  return seeded;
}
